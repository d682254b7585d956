import { defineConfig, devices } from "@playwright/test";
import { chromium } from "./site/chromium.ts";
import { STEP_LIMIT_MS, TEST_LIMIT_MS } from "./site/limits.ts";

export default defineConfig({
  globalSetup: "./site/preflight.ts",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  // A test that passes only at the second try has found something: it fails.
  retries: 0,
  forbidOnly: true,
  // With long limits, a site that is broken everywhere would take hours to fail every test.
  maxFailures: 20,
  timeout: TEST_LIMIT_MS,
  expect: { timeout: STEP_LIMIT_MS },
  reporter: [["list"], ["./reporters/summary.ts"]],
  use: {
    actionTimeout: STEP_LIMIT_MS,
    ...devices["Desktop Chrome"],
    launchOptions: { executablePath: chromium.path, args: chromium.flags },
    locale: "en-US",
    timezoneId: "UTC",
  },
});
