import type { Page } from "@playwright/test";
import { PAGES, SENDING } from "../site/specification.ts";
import {
  ContactForm,
  finishSendingAtOnce,
  neverFinishSending,
  neverHideToast,
} from "./contact-form.ts";
import { open } from "./hydration.ts";

/** A page in a state that a visitor can bring about. */
export interface State {
  readonly name: string;
  /** Loads the page and brings it into the state. No timer changes the state afterwards. */
  reach(page: Page): Promise<void>;
}

const initialStates: State[] = PAGES.map((path) => ({
  name: path,
  reach: async (page) => void (await open(page, path)),
}));

const formStates: State[] = [
  {
    name: "/contact, invalid after a submit",
    reach: async (page) => {
      const contact = new ContactForm(page);
      await contact.open();
      await contact.email.fill("not an address");
      // The message that appears when the field loses the focus must not move the button: a pointer
      // that is released outside of the button does not click it.
      await contact.submit.click();
      for (const field of contact.fields) {
        await field.and(page.locator("[aria-invalid=true]")).waitFor();
      }
    },
  },
  {
    name: "/contact, sending",
    reach: async (page) => {
      const contact = new ContactForm(page);
      await contact.open();
      await neverFinishSending(page);
      await contact.send();
      await contact.form.getByText(SENDING).waitFor();
    },
  },
  {
    name: "/contact, sent, with the toast",
    reach: async (page) => void (await showToast(page)),
  },
  {
    name: "/contact, sent, with the toast dismissed",
    reach: async (page) => {
      const contact = await showToast(page);
      await contact.dismiss.click();
      await contact.toast.waitFor({ state: "hidden" });
    },
  },
];

/** Sends the form, and keeps the toast. */
export async function showToast(page: Page): Promise<ContactForm> {
  const contact = new ContactForm(page);
  await contact.open();
  await finishSendingAtOnce(page);
  await neverHideToast(page);
  await contact.send();
  await contact.toast.waitFor();
  return contact;
}

/** The initial state of every page, and the states of the contact form. */
export const STATES: readonly State[] = [...initialStates, ...formStates];

/** Waits until fonts are loaded and animations have finished: then positions are final. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // As `waitUntilIdle` does, but in the same call.
    await scheduler.postTask(() => {}, { priority: "background" });
    await document.fonts.ready;
    const running = () =>
      document
        .getAnimations()
        .filter((animation) => animation.playState !== "finished")
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    // The end of an animation may start the next.
    while (running().length > 0) {
      await Promise.allSettled(running().map((animation) => animation.finished));
      await scheduler.postTask(() => {}, { priority: "background" });
    }
  });
}
