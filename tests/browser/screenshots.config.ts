import { defineConfig } from "@playwright/test";
import browserTests from "./playwright.config.ts";
import { chromium } from "./site/chromium.ts";

const [site] = browserTests.projects ?? [];

/** The pictures of screenshots.ts. */
export default defineConfig({
  ...browserTests,
  testMatch: "screenshots.ts",
  projects: [{ name: "screenshots", use: site?.use ?? {} }],
  use: {
    ...browserTests.use,
    launchOptions: {
      executablePath: chromium.path,
      // The last frame of the hero picture. The emulation of a page does not reach its pictures.
      args: [...chromium.flags, "--force-prefers-reduced-motion"],
    },
  },
});
