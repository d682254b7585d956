import { test as base, expect } from "@playwright/test";
import { type BrowserErrors, recordBrowserErrors } from "./page/browser-errors.ts";
import { waitForEvents } from "./page/idle.ts";
import { type Site, startSite } from "./site/executable.ts";

/** An example of an origin. No test sends a request to it. */
export const ORIGIN = "https://recipes.example";

interface PerTest {
  /** Errors that the browser reported during the test. Unexpected ones fail the test. */
  browserErrors: BrowserErrors;
}

/**
 * Worker fixtures are declared only here. Tests with other ones cannot run in the same worker, and
 * each worker starts a browser.
 */
interface PerWorker {
  /** The site with the default settings. */
  site: Site;
  /** The site with the option `--origin`. */
  siteAtOrigin: Site;
}

/**
 * Playwright's `test` with the executable as its server. Every test also checks that its pages
 * cause no console error or warning, no uncaught error, no violation of the content security policy
 * and no request to another origin.
 */
export const test = base.extend<PerTest, PerWorker>({
  site: [
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
  siteAtOrigin: [
    async ({}, use) => {
      const site = await startSite(["--origin", ORIGIN]);
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  browserErrors: [
    async ({ context, baseURL }, use) => {
      const browserErrors = await recordBrowserErrors(context, baseURL ?? "");
      await use(browserErrors);
      // The browser may request the icon at any time, and no route handler may run after the test.
      const routers = [context, ...context.pages()];
      await Promise.all(routers.map((router) => router.unrouteAll({ behavior: "ignoreErrors" })));
      await Promise.all(context.pages().map(waitForEvents));
      expect(browserErrors.unexpected(), "unexpected browser errors").toEqual([]);
    },
    { auto: true },
  ],
});

/** `test` with {@link ORIGIN} as the origin of the site. */
export const testAtOrigin = test.extend({
  baseURL: async ({ siteAtOrigin }, use) => use(siteAtOrigin.url),
});

export { expect };
