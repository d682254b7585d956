import { defineConfig } from "@playwright/test";
import type { EngineOptions } from "./engines/session.ts";
import browserTests from "./playwright.config.ts";

/** Playwright's runner without its browsers: the tests drive Debian's Firefox and WebKitGTK by WebDriver. */
export default defineConfig<object, EngineOptions>({
  ...browserTests,
  testDir: "engines",
  testMatch: "*.engine.ts",
  outputDir: "test-results/engines",
  fullyParallel: false,
  use: {},
  webServer: [browserTests.webServer ?? []].flat().slice(0, 1),
  projects: [
    { name: "firefox", use: { engine: "firefox" } },
    { name: "webkit", use: { engine: "webkit" } },
  ],
});
