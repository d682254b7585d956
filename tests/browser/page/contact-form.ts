import { expect, type Locator, type Page, type Route } from "@playwright/test";
import { SEND_DELAY_MS, SENDING, TOAST } from "../site/specification.ts";
import { hold, open } from "./hydration.ts";
import { waitUntilIdle } from "./idle.ts";

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
    this.name = page.getByRole("textbox", { name: "Name" });
    this.email = page.getByRole("textbox", { name: "Email" });
    this.message = page.getByRole("textbox", { name: "Message" });
    this.submit = this.form.getByRole("button");
    this.liveRegion = page.getByRole("status");
    this.toast = this.liveRegion.filter({ hasText: TOAST.title });
    this.dismiss = page.getByRole("button", { name: /dismiss|close/i });
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
    await this.name.fill("Ada");
    await this.email.fill("ada@example.com");
    await this.message.fill("Which clips work best?");
  }

  /** Expects the values of {@link fill}. */
  async expectFilled(): Promise<void> {
    await expect(this.name).toHaveValue("Ada");
    await expect(this.email).toHaveValue("ada@example.com");
    await expect(this.message).toHaveValue("Which clips work best?");
  }

  /** Fills the form and submits it. */
  async send(): Promise<void> {
    await this.fill();
    await this.submit.click();
  }

  /** Sends the form with the clock paused, and advances the clock to the end of sending. */
  async sendAndFinish(): Promise<void> {
    await this.send();
    await expect(this.submit).toHaveText(SENDING);
    await advanceClock(this.page, SEND_DELAY_MS);
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

/** Ends sending without its delay. Call after loading, which restores the delay. */
export async function finishSendingAtOnce(page: Page): Promise<void> {
  await changeTimers(page, SEND_DELAY_MS, 0);
}

/** Disables the timer that ends sending. Call after loading, which enables the timer again. */
export async function neverFinishSending(page: Page): Promise<void> {
  await changeTimers(page, SEND_DELAY_MS, null);
}

/** Disables the timer that hides a toast. Call after loading, which enables the timer again. */
export async function neverHideToast(page: Page): Promise<void> {
  await changeTimers(page, TOAST.shownForMs, null);
}

/** Changes the page's timers with this delay to another delay, or disables them with null. */
async function changeTimers(page: Page, delay: number, changed: number | null): Promise<void> {
  await page.evaluate(
    ({ from, to }) => {
      const { setTimeout } = window;
      window.setTimeout = ((handler: TimerHandler, ms?: number, ...rest: unknown[]) => {
        if (ms !== from) return setTimeout(handler, ms, ...rest);
        return to === null ? 0 : setTimeout(handler, to, ...rest);
      }) as typeof setTimeout;
    },
    { from: delay, to: changed },
  );
}
