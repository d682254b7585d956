import type { Page } from "@playwright/test";
import { PAGES, SENDING } from "../site/specification.ts";
import { ContactForm, neverFinishSending, neverHideToast } from "./contact-form.ts";
import { open } from "./hydration.ts";
import { idle } from "./idle.ts";

/** A page in a state that a visitor can meet it in. */
export interface State {
  readonly name: string;
  /** Brings a fresh page into the state and leaves it there, at rest. */
  reach(page: Page): Promise<void>;
}

const pagesAtRest: State[] = PAGES.map((path) => ({
  name: path,
  reach: async (page) => void (await open(page, path)),
}));

const formStates: State[] = [
  {
    name: "/contact, invalid after an attempt",
    reach: async (page) => {
      const contact = new ContactForm(page);
      await contact.open();
      await contact.email.fill("not an address");
      await contact.submit.click();
      for (const field of contact.fields) {
        await field.and(page.locator("[aria-invalid=true]")).waitFor();
      }
    },
  },
  {
    name: "/contact, sending",
    reach: async (page) => {
      await neverFinishSending(page);
      const contact = new ContactForm(page);
      await contact.open();
      await contact.send();
      await contact.form.getByText(SENDING).waitFor();
    },
  },
  {
    name: "/contact, sent, with the toast",
    reach: async (page) => void (await send(page)),
  },
  {
    name: "/contact, sent, the toast gone",
    reach: async (page) => {
      const contact = await send(page);
      await contact.dismiss.click();
      await contact.toast.waitFor({ state: "hidden" });
    },
  },
];

async function send(page: Page): Promise<ContactForm> {
  await neverHideToast(page);
  const contact = new ContactForm(page);
  await contact.open();
  await contact.send();
  await contact.toast.waitFor();
  return contact;
}

/** Every page, and every state of the one page that has states. */
export const STATES: readonly State[] = [...pagesAtRest, ...formStates];

/** Waits until nothing moves any more: what is measured then is what stays. */
export async function settled(page: Page): Promise<void> {
  await idle(page);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const running = () =>
      document
        .getAnimations()
        .filter((animation) => animation.playState !== "finished")
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    // The end of one animation may start another.
    while (running().length > 0) {
      await Promise.allSettled(running().map((animation) => animation.finished));
      await scheduler.postTask(() => {}, { priority: "background" });
    }
  });
}
