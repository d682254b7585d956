import { defineConfig, devices } from "@playwright/test";
import { chromium } from "./site/chromium.ts";
import { executable } from "./site/executable.ts";
import { SITES } from "./site/sites.ts";
import { HAS_DRAWING } from "./site/specification.ts";

/**
 * Milliseconds after which an expectation that is not met fails. tests/run sets CI, and runs other steps at the same time:
 * no result depends on a quiet machine.
 */
const TIMEOUT_MS = process.env.CI ? 60_000 : 5_000;

/** The folder of a certificate that no authority has issued, with its key. */
const certificates = "node_modules/.cache/certificate";

/** What Playwright starts for the tests of a site. The site picks a free port, whose address goes into the variable NAME_URL. */
const server = (name: string, options: string, env: Record<string, string> = {}) => ({
  command: `exec "${executable}" ${options}`,
  env,
  wait: { stderr: new RegExp(`ready on (?<${name}_url>https?://\\S+)`) },
  gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 } as const,
  stderr: "ignore" as const,
});

const baseURL = (name: string) => ({ baseURL: process.env[`${name.toUpperCase()}_URL`] ?? "" });

const names = Object.keys(SITES);
/** What the site "default" is not tested for. The tag @drawing is for RecipeLog's picture, which an owner may have replaced. */
const others = [...names, "https", ...(HAS_DRAWING ? [] : ["drawing"])];
const tag = (name: string) => new RegExp(`@${name}\\b`);

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
  timeout: 300_000,
  expect: {
    timeout: TIMEOUT_MS,
    // A text of a page that stands in no file is a failure, too. `npx playwright test -u all` accepts new texts.
    toMatchAriaSnapshot: { children: "deep-equal", pathTemplate: "{testDir}/texts/{arg}{ext}" },
  },
  reporter: [["list"], ["./reporters/summary.ts"]],
  use: {
    actionTimeout: TIMEOUT_MS,
    ...devices["Desktop Chrome"],
    launchOptions: { executablePath: chromium.path, args: chromium.flags },
    locale: "en-US",
    timezoneId: "UTC",
    // It costs a sixth of the processor time: a failure of tests/run leaves one once its test is run alone.
    trace: process.env.CI ? "off" : { mode: "retain-on-failure", screenshots: false },
  },
  projects: [
    ...names.map((name) => ({
      name,
      ...(name === "default" ? { grepInvert: others.map(tag) } : { grep: tag(name) }),
      use: baseURL(name),
    })),
    { name: "https", grep: tag("https"), use: { ...baseURL("https"), ignoreHTTPSErrors: true } },
  ],
  webServer: [
    ...Object.entries(SITES).map(([name, env]) => server(name, "--listen 127.0.0.1:0", env)),
    {
      ...server("https", ""),
      command: `mkdir -p ${certificates} && cd ${certificates} && openssl req -x509 -newkey ec \
        -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj / -addext subjectAltName=IP:127.0.0.1 -days 2 \
        -keyout key.pem -out certificate.pem && exec "${executable}" --tls-listen 127.0.0.1:0 \
        --tls-cert certificate.pem --tls-key key.pem`,
    },
  ],
});
