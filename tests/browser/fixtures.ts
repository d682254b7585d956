import { type BrowserContextOptions, test as base, expect } from "@playwright/test";
import { type BrowserErrors, recordBrowserErrors } from "./page/browser-errors.ts";
import { waitForEvents } from "./page/idle.ts";
import { SharedPage } from "./page/shared-page.ts";
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
 * Worker fixtures are declared only here. Tests with other ones cannot run in the same worker, and
 * each worker starts a browser.
 */
interface PerWorker {
  /** The site with the default settings. */
  site: Site;
  /** The site with the option `--origin`. */
  siteAtOrigin: Site;
  /** The page of {@link test}. */
  shared: SharedPage;
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
  shared: [
    async ({ browser, site }, use, { project }) => {
      const options = { ...project.use, baseURL: site.url } as BrowserContextOptions;
      const shared = await SharedPage.open(browser, options);
      await use(shared);
      await shared.page.context().close();
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

/** {@link testOnNewPage} with {@link ORIGIN} as the origin of the site. */
export const testAtOrigin = testOnNewPage.extend({
  baseURL: async ({ siteAtOrigin }, use) => use(siteAtOrigin.url),
});

/**
 * {@link testOnNewPage} with one page for all tests of a worker: to load a document takes a third of
 * the processor time, because Chromium starts no process for it. A test can change the document, the
 * viewport and the emulated media, which are reset before the next test.
 */
export const test = testOnNewPage.extend({
  context: async ({ shared, hasTouch, javaScriptEnabled, timezoneId }, use, { project }) => {
    if (hasTouch || !javaScriptEnabled || timezoneId !== project.use.timezoneId) {
      throw new Error("only the viewport of the shared page can be set; use testOnNewPage");
    }
    const context = shared.page.context();
    await use(context);
    const opened = context.pages().filter((page) => page !== shared.page);
    await Promise.all(opened.map((page) => page.close()));
  },
  errorRecorder: async ({ shared }, use) => {
    shared.browserErrors.clear();
    await use(shared.browserErrors);
  },
  page: async ({ shared, viewport }, use) => {
    await shared.reset(viewport);
    await use(shared.page);
  },
});

export { expect };
