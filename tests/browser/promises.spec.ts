// PAGE-1, PAGE-2, PAGE-3, PAGE-6, PAGE-8, PAGE-9, PAGE-10, PAGE-11, PAGE-13, PAGE-14, PAGE-16, PAGE-17, PAGE-24, PAGE-29, PAGE-33,
// PAGE-34: what depends on the engine of the browser, in Chromium. It gives links and buttons the focus as WebKit does.

import type { Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { open, waitForHydration } from "./page/loading.ts";
import { PROMISES, Visitor } from "./promises.ts";

/** Longer than the interval in which Chromium saves the scroll position, with a timer of the page. */
const SCROLL_SAVE_MS = 1_500;

class ChromiumVisitor extends Visitor {
  constructor(readonly page: Page) {
    super();
  }

  async open(path: string): Promise<void> {
    // An address with another fragment would not be loaded.
    await this.page.goto("about:blank");
    await open(this.page, path);
  }

  run<T, A>(script: (given: A) => T, given?: A): Promise<T> {
    return this.page.evaluate(script as (given: unknown) => T, given);
  }

  click(selector: string): Promise<void> {
    return this.page.locator(selector).first().click();
  }

  type(selector: string, text: string): Promise<void> {
    return this.page.locator(selector).pressSequentially(text);
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  resize(width: number, height: number): Promise<void> {
    return this.page.setViewportSize({ width, height });
  }

  async leaveAndReturn(): Promise<void> {
    await this.page.waitForTimeout(SCROLL_SAVE_MS);
    await this.page.goto("about:blank");
    await this.page.goBack();
    await waitForHydration(this.page);
  }
}

// The head has addresses only with an origin.
test.describe("with an origin", { tag: "@origin" }, () => {
  // Paper is white all the same.
  test.use({ colorScheme: "dark" });

  for (const [name, prove] of Object.entries(PROMISES)) {
    test(name, async ({ page }) => {
      await focusAsWebKit(page);
      await prove(new ChromiumVisitor(page));
    });
  }
});

/**
 * Gives a link or a button that is pressed the focus as WebKit on Apple's systems does: not to itself, but to its nearest
 * ancestor that a pointer can focus, or to nothing.
 */
async function focusAsWebKit(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener(
      "mousedown",
      (event) => {
        const pressed = (event.target as Element).closest("a, button");
        if (!pressed) return;
        event.preventDefault();
        const focusable = pressed.parentElement?.closest<HTMLElement>("[tabindex], summary");
        if (focusable) focusable.focus();
        else (document.activeElement as HTMLElement | null)?.blur();
      },
      { capture: true },
    );
  });
}
