import { defineConfig, devices } from "@playwright/test";
import { chromium } from "./site/chromium.ts";
import { STEP_TIMEOUT_MS, TEST_TIMEOUT_MS } from "./site/timeouts.ts";

export default defineConfig({
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 4,
  // A retry would hide an unstable test.
  retries: 0,
  forbidOnly: true,
  // If the site is broken, every test ends at its timeout, which would take hours.
  maxFailures: 20,
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: STEP_TIMEOUT_MS },
  reporter: [["list"], ["./reporters/summary.ts"]],
  use: {
    actionTimeout: STEP_TIMEOUT_MS,
    ...devices["Desktop Chrome"],
    launchOptions: { executablePath: chromium.path, args: chromium.flags },
    locale: "en-US",
    timezoneId: "UTC",
  },
});
