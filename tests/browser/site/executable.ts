import { resolve } from "node:path";

/** The folder of Cargo's builds. */
export const target =
  process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, "../../../target");

/** The executable of the site: SITE_EXECUTABLE if it is set, or what `cargo build --release` built. */
export const executable = resolve(
  process.env.SITE_EXECUTABLE ?? resolve(target, "release/recipelog-site"),
);
