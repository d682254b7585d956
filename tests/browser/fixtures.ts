import { test as base, expect } from "@playwright/test";
import { BrowserErrors } from "./page/browser-errors.ts";
import { ContactForm, pauseClock } from "./page/contact-form.ts";

interface PerTest {
  /** Errors that the browser reported during the test. Unexpected ones fail the test. */
  browserErrors: BrowserErrors;
  /** The contact form of the page, whose timers run only in `advanceClock`. */
  contact: ContactForm;
}

/**
 * Playwright's `test`. Every test also checks that its pages cause no console error or warning, no uncaught error, no
 * violation of the content security policy and no request to another origin.
 */
export const test = base.extend<PerTest>({
  browserErrors: [
    async ({ context, baseURL }, use) => {
      const errors = await BrowserErrors.of(context, baseURL ?? "");
      await use(errors);
      // During a navigation, the call fails, and the old document emits no more events.
      await Promise.all(context.pages().map((page) => page.evaluate(() => {}).catch(() => {})));
      expect(errors.unexpected(), "unexpected browser errors").toEqual([]);
      // The page may request a picture at any time, and no route handler may run after the test. Without its route, the request
      // fails, so it comes after the check.
      const routers = [context, ...context.pages()];
      await Promise.all(routers.map((router) => router.unrouteAll({ behavior: "ignoreErrors" })));
    },
    { auto: true },
  ],
  contact: async ({ page }, use) => {
    await pauseClock(page);
    await use(new ContactForm(page));
  },
});

export { expect };
