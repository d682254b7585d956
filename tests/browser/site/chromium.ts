import installed from "./chromium.json" with { type: "json" };

/**
 * The installed Chromium, or the browser that the environment variable CHROMIUM names; never one
 * that Playwright has downloaded. The benchmarks also read chromium.json.
 */
export const chromium = { ...installed, path: process.env.CHROMIUM || installed.path };
