import type { Locator, Page } from "@playwright/test";
import { SEND_DELAY_MS, TOAST } from "../site/specification.ts";
import { open } from "./hydration.ts";

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
}

/** Stops the page's clock, so that only `page.clock.runFor` moves its timers. Before loading. */
export async function stopClock(page: Page): Promise<void> {
  const now = new Date();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(new Date(now.getTime() + 60_000));
}

/** Makes sending last for ever, while every other timer of the page runs. Before loading. */
export async function neverFinishSending(page: Page): Promise<void> {
  await page.addInitScript((delay) => {
    const { setTimeout } = window;
    window.setTimeout = ((handler: TimerHandler, ms?: number, ...given: unknown[]) =>
      ms === delay ? 0 : setTimeout(handler, ms, ...given)) as typeof setTimeout;
  }, SEND_DELAY_MS);
}
