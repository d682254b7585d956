import { expect, type Locator, type Page, type Route } from "@playwright/test";
import { SEND_DELAY_MS } from "../site/specification.ts";
import { hold, open, waitUntilIdle } from "./loading.ts";

const VALUES = ["Ada", "ada@example.com", "Which clips work best?"] as const;

/** The contact page and its controls. */
export class ContactForm {
  readonly form: Locator;
  readonly name: Locator;
  readonly email: Locator;
  readonly message: Locator;
  readonly submit: Locator;
  /** The live region of the toasts. It exists before the first toast. */
  readonly liveRegion: Locator;
  readonly toast: Locator;
  readonly dismiss: Locator;

  constructor(readonly page: Page) {
    this.form = page.locator("form");
    this.name = page.locator("#name");
    this.email = page.locator("#email");
    this.message = page.locator("#message");
    this.submit = this.form.getByRole("button");
    this.liveRegion = page.locator(".toast").getByRole("status");
    // One that fades counts as gone.
    this.toast = page.locator(".toast:not([data-leaving]) .toast-message");
    this.dismiss = page.locator(".toast").getByRole("button");
  }

  get fields(): Locator[] {
    return [this.name, this.email, this.message];
  }

  async open(): Promise<void> {
    await open(this.page, "/contact");
  }

  /** Opens the page without the app, which is loaded when the returned function is called. Then `end` ends its requests. */
  async openWithoutApp(options?: { end(route: Route): Promise<void> }): Promise<() => void> {
    const loadScripts = await hold(this.page, options);
    await this.page.goto("/contact", { waitUntil: "domcontentloaded" });
    return loadScripts;
  }

  async fill(): Promise<void> {
    for (const [index, field] of this.fields.entries()) await field.fill(VALUES[index] ?? "");
  }

  /** Expects the values of {@link fill}, or others. */
  async expectValues(values: readonly string[] = VALUES): Promise<void> {
    for (const [index, field] of this.fields.entries())
      await expect(field).toHaveValue(values[index] ?? "");
  }

  /** Expects that form.css does not show that the form does not work, as it does after a while without a script (PAGE-19). */
  async expectNoNotice(): Promise<void> {
    const notice = this.form.locator(".form-notice");
    await notice.evaluate((element) => {
      for (const animation of element.getAnimations()) animation.finish();
    });
    await expect(notice).toBeHidden();
  }

  async expectSending(): Promise<void> {
    await expect(this.submit).toBeDisabled();
  }

  /** Fills the form and submits it. */
  async send(): Promise<void> {
    await this.fill();
    await this.submit.click();
    await this.expectSending();
  }

  /** Sends the form with the clock paused, and advances the clock until the toast is there. */
  async sendAndFinish(): Promise<void> {
    await this.send();
    await advanceClock(this.page, SEND_DELAY_MS);
    await expect(this.toast).toBeVisible();
  }
}

/** Pauses the page's clock: its timers run only in {@link advanceClock}. Call before loading. */
export async function pauseClock(page: Page): Promise<void> {
  const now = new Date();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(new Date(now.getTime() + 60_000));
}

/**
 * Advances a paused clock. Waits before that until earlier events have set their timers, and after
 * that until the effects of the elapsed timers have run.
 */
export async function advanceClock(page: Page, ms: number): Promise<void> {
  await waitUntilIdle(page);
  await page.clock.runFor(ms);
  await waitUntilIdle(page);
}
