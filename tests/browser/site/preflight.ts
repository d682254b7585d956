import { access, constants } from "node:fs/promises";
import { chromium } from "./chromium.ts";
import { executable } from "./executable.ts";

/** Fails the run with one message if a file is missing that every test requires. */
export default async function preflight(): Promise<void> {
  for (const { file, remedy } of [
    { file: executable, remedy: "run `cargo build --release`, or set SITE_EXECUTABLE" },
    { file: chromium.path, remedy: "install Chromium, or set CHROMIUM" },
  ]) {
    await access(file, constants.X_OK).catch(() => {
      throw new Error(`${file} is missing or not executable: ${remedy}`);
    });
  }
}
