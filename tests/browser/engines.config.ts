import { defineConfig } from "@playwright/test";
import type { EngineOptions } from "./engines/session.ts";
import { STEP_TIMEOUT_MS, TEST_TIMEOUT_MS } from "./site/timeouts.ts";

/** Playwright's runner without its browsers: the tests drive Debian's Firefox and WebKitGTK by WebDriver. */
export default defineConfig<object, EngineOptions>({
  testDir: "engines",
  testMatch: "*.engine.ts",
  outputDir: "test-results/engines",
  workers: 2,
  retries: 0,
  forbidOnly: true,
  maxFailures: 20,
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: STEP_TIMEOUT_MS },
  reporter: [["list"], ["./reporters/summary.ts"]],
  projects: [
    { name: "firefox", use: { engine: "firefox" } },
    { name: "webkit", use: { engine: "webkit" } },
  ],
});
