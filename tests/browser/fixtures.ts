import { type BrowserContextOptions, test as base, expect } from "@playwright/test";
import { type BrowserErrors, recordBrowserErrors } from "./page/browser-errors.ts";
import { waitForEvents } from "./page/idle.ts";
import { type SharedPage, SharedPages } from "./page/shared-page.ts";
import { type Site, startSite } from "./site/executable.ts";

/** An example of an origin. No test sends a request to it. */
export const ORIGIN = "https://recipes.example";

interface PerTest {
  /** Records the errors of the test's context. Only `browserErrors` uses it. */
  errorRecorder: BrowserErrors;
  /** Errors that the browser reported during the test. Unexpected ones fail the test. */
  browserErrors: BrowserErrors;
}

/**
 * Worker fixtures are declared only here. Tests with different worker fixtures cannot run in the
 * same worker, and each worker starts a browser.
 */
interface PerWorker {
  /** The site with the default settings. */
  site: Site;
  /** The site with the option `--origin`. */
  siteAtOrigin: Site;
  /** The pages of {@link test}. */
  sharedPages: SharedPages;
}

/**
 * Playwright's `test` with the executable as its server, and a context and page for each test. Every
 * test also checks that its pages cause no console error or warning, no uncaught error, no violation
 * of the content security policy and no request to another origin.
 */
export const testOnNewPage = base.extend<PerTest, PerWorker>({
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
  sharedPages: [
    async ({ browser }, use, { project }) => {
      const sharedPages = new SharedPages(browser, project.use as BrowserContextOptions);
      await use(sharedPages);
      await sharedPages.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  errorRecorder: async ({ context, baseURL }, use) =>
    use(await recordBrowserErrors(context, baseURL ?? "")),
  browserErrors: [
    async ({ context, errorRecorder }, use) => {
      await use(errorRecorder);
      // The browser may request the icon at any time, and no route handler may run after the test.
      const routers = [context, ...context.pages()];
      await Promise.all(routers.map((router) => router.unrouteAll({ behavior: "ignoreErrors" })));
      await Promise.all(context.pages().map(waitForEvents));
      expect(errorRecorder.unexpected(), "unexpected browser errors").toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * {@link testOnNewPage} with one page for all tests of a worker that have the same options. Loading a
 * document in an existing page takes a third of the processor time, because Chromium starts no
 * process. A test can load documents, open pages, add scripts and routes, and set the viewport and the
 * emulated media. Of the options of a context, only those of `sharedPage` have an effect.
 */
export const test = testOnNewPage.extend<{ pausedClock: boolean; sharedPage: SharedPage }>({
  pausedClock: [false, { option: true }],
  sharedPage: async (
    { sharedPages, viewport, baseURL, hasTouch, javaScriptEnabled, timezoneId, pausedClock },
    use,
  ) => {
    const context = { baseURL, hasTouch, javaScriptEnabled, timezoneId };
    const options = context as BrowserContextOptions;
    const sharedPage = await sharedPages.page(options, pausedClock);
    await sharedPage.reset(viewport);
    await use(sharedPage);
    await sharedPage.hide();
  },
  context: async ({ sharedPage }, use) => use(sharedPage.page.context()),
  page: async ({ sharedPage }, use) => use(sharedPage.page),
  errorRecorder: async ({ sharedPage }, use) => use(sharedPage.browserErrors),
});

/** {@link test} with {@link ORIGIN} as the origin of the site. */
export const testAtOrigin = test.extend({
  baseURL: async ({ siteAtOrigin }, use) => use(siteAtOrigin.url),
});

export { expect };
