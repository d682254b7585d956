import installed from "./chromium.json" with { type: "json" };

/**
 * The browser under test is the machine's own Chromium (environment CHROMIUM names another one);
 * Playwright's downloads are never used. The benchmarks read chromium.json too.
 */
export const chromium = { ...installed, path: process.env.CHROMIUM || installed.path };
