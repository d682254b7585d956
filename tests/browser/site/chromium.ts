import { existsSync } from "node:fs";

const names = ["chromium-headless-shell", "chromium"];
const folders = (process.env.PATH ?? "").split(":");
const installed = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));

/**
 * The Chromium in PATH, or the browser that the environment variable CHROMIUM names; never one that Playwright has
 * downloaded.
 */
export const chromium = {
  path: process.env.CHROMIUM || (installed.find((file) => existsSync(file)) ?? "chromium"),
  flags: ["--disable-gpu"],
};
