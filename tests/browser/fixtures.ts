import { test as base, expect } from "@playwright/test";
import { BrowserErrors } from "./page/browser-errors.ts";
import { ContactForm, pauseClock } from "./page/contact-form.ts";
import { waitForEvents } from "./page/idle.ts";
import { type Site, startSite } from "./site/executable.ts";

/** An example of an origin. No test sends a request to it. */
export const ORIGIN = "https://recipes.example";

interface PerTest {
  /** Options of a site for each test. Without them, all tests of a worker use one site. */
  siteOptions: readonly string[];
  /** The page's timers run only in `advanceClock`. */
  pausedClock: boolean;
  /** Errors that the browser reported during the test. Unexpected ones fail the test. */
  browserErrors: BrowserErrors;
  /** The contact form of the page. */
  contact: ContactForm;
}

/**
 * Playwright's `test` with the executable as its server. Every test also checks that its pages cause no
 * console error or warning, no uncaught error, no violation of the content security policy and no
 * request to another origin.
 */
export const test = base.extend<PerTest, { site: Site }>({
  site: [
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],
  siteOptions: [[], { option: true }],
  baseURL: async ({ site, siteOptions }, use) => {
    if (siteOptions.length === 0) return use(site.url);
    const own = await startSite(siteOptions);
    await use(own.url);
    await own.stop();
  },
  pausedClock: [false, { option: true }],
  page: async ({ page, pausedClock }, use) => {
    if (pausedClock) await pauseClock(page);
    await use(page);
  },
  browserErrors: [
    async ({ context, baseURL }, use) => {
      const errors = await BrowserErrors.of(context, baseURL ?? "");
      await use(errors);
      // The browser may request the icon at any time, and no route handler may run after the test.
      const routers = [context, ...context.pages()];
      await Promise.all(routers.map((router) => router.unrouteAll({ behavior: "ignoreErrors" })));
      await Promise.all(context.pages().map(waitForEvents));
      expect(errors.unexpected(), "unexpected browser errors").toEqual([]);
    },
    { auto: true },
  ],
  contact: async ({ page }, use) => use(new ContactForm(page)),
});

export { expect };
