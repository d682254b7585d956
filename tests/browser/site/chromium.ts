/**
 * The browser under test is the machine's own Chromium (environment CHROMIUM names another one);
 * Playwright's downloads are never used.
 */
export const chromium = {
  path: process.env.CHROMIUM ?? "/usr/bin/chromium",
  flags: [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
} as const;
