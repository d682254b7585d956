import { test as base, expect } from "@playwright/test";
import { type Complaints, watch } from "./page/complaints.ts";
import { eventsReceived } from "./page/idle.ts";
import { type Site, startSite } from "./site/executable.ts";

/** An address that an operator could configure; nothing is ever asked of it. */
export const ORIGIN = "https://recipes.example";

interface PerTest {
  /** What the browser complained of in this test. Empty at its end, or the test fails. */
  complaints: Complaints;
}

interface PerWorker {
  /** The site with its built-in settings. */
  site: Site;
  /** The site as an operator runs it who told it its public address. */
  siteAtOrigin: Site;
}

/**
 * Playwright's `test` with the real executable behind it. Every test, whatever else it proves,
 * also proves that the pages it visited raised no console error or warning, no uncaught error and
 * no policy violation, and asked nothing of any other origin.
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
  complaints: [
    async ({ context, baseURL }, use) => {
      const complaints = await watch(context, baseURL ?? "");
      await use(complaints);
      // The browser may request the icon at any time: a route handler must not run after the test.
      const routed = [context, ...context.pages()];
      await Promise.all(routed.map((one) => one.unrouteAll({ behavior: "ignoreErrors" })));
      await Promise.all(context.pages().map(eventsReceived));
      expect(complaints.unexpected(), "complaints of the browser").toEqual([]);
    },
    { auto: true },
  ],
});

/** `test` against the site that knows its public address, {@link ORIGIN}. */
export const testAtOrigin = test.extend({
  baseURL: async ({ siteAtOrigin }, use) => use(siteAtOrigin.url),
});

export { expect };
