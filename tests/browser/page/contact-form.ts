import { expect, type Locator, type Page } from "@playwright/test";
import { SEND_DELAY_MS, SENDING, TOAST } from "../site/specification.ts";
import { open } from "./hydration.ts";
import { idle } from "./idle.ts";

/** The contact page as a person meets it. */
export class ContactForm {
  readonly form: Locator;
  readonly name: Locator;
  readonly email: Locator;
  readonly message: Locator;
  readonly submit: Locator;
  /** The live region in which toasts appear. It is on the page before any toast is. */
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

  async fill(): Promise<void> {
    await this.name.fill("Ada");
    await this.email.fill("ada@example.com");
    await this.message.fill("Which clips work best?");
  }

  /** Fills the form and submits it. */
  async send(): Promise<void> {
    await this.fill();
    await this.submit.click();
  }

  /** Sends the form with the clock stopped, and moves the clock to the end of sending. */
  async sendToEnd(): Promise<void> {
    await this.send();
    await expect(this.submit).toHaveText(SENDING);
    await passTime(this.page, SEND_DELAY_MS);
  }
}

/** Stops the page's clock, so that only {@link passTime} moves its timers. Before loading. */
export async function stopClock(page: Page): Promise<void> {
  const now = new Date();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(new Date(now.getTime() + 60_000));
}

/**
 * Moves a stopped clock forward. Before that, the effects of earlier events have run, so that
 * their timers are set; after it, the effects of the elapsed timers have run.
 */
export async function passTime(page: Page, ms: number): Promise<void> {
  await idle(page);
  await page.clock.runFor(ms);
  await idle(page);
}

/** Makes sending last for ever, while every other timer of the page runs. Before loading. */
export async function neverFinishSending(page: Page): Promise<void> {
  await neverFire(page, SEND_DELAY_MS);
}

/** Makes a toast stay until it is dismissed. Before loading. */
export async function neverHideToast(page: Page): Promise<void> {
  await neverFire(page, TOAST.shownForMs);
}

/** Drops the page's timers of this length; other timers run. */
async function neverFire(page: Page, length: number): Promise<void> {
  await page.addInitScript((never) => {
    const { setTimeout } = window;
    window.setTimeout = ((handler: TimerHandler, ms?: number, ...given: unknown[]) =>
      ms === never ? 0 : setTimeout(handler, ms, ...given)) as typeof setTimeout;
  }, length);
}
