import { access, constants } from "node:fs/promises";
import { chromium } from "./chromium.ts";
import { executable } from "./executable.ts";

/** Ends the run at once, in one line, where every test would fail for the same missing file. */
export default async function preflight(): Promise<void> {
  for (const { file, remedy } of [
    { file: executable, remedy: "run `cargo build --release`, or name it in SITE_EXECUTABLE" },
    { file: chromium.path, remedy: "install Chromium, or name it in CHROMIUM" },
  ]) {
    await access(file, constants.X_OK).catch(() => {
      throw new Error(`${file} cannot be run: ${remedy}`);
    });
  }
}
