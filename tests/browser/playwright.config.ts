import { defineConfig, devices } from "@playwright/test";
import { chromium } from "./site/chromium.ts";

/** The site is on this machine: whatever takes longer than this will not come. */
const TEST_TIMEOUT_MS = 30_000;
const STEP_TIMEOUT_MS = 5_000;

export default defineConfig({
  globalSetup: "./site/preflight.ts",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  // A test that passes only at the second try has found something: it fails.
  retries: 0,
  forbidOnly: true,
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: STEP_TIMEOUT_MS },
  reporter: [["list"], ["./reporters/summary.ts"]],
  use: {
    actionTimeout: STEP_TIMEOUT_MS,
    ...devices["Desktop Chrome"],
    launchOptions: { executablePath: chromium.path, args: [...chromium.flags] },
    locale: "en-US",
    timezoneId: "UTC",
  },
});
