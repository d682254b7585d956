import { RECEIVER } from "../site/sites.ts";
import { nameOf, PAGES } from "../site/specification.ts";
import type { ContactForm } from "./contact-form.ts";
import { open } from "./loading.ts";

/** A page in a state that a visitor can bring about. */
export interface State {
  readonly name: string;
  /** The site that has the state, if it is not the default one. */
  readonly site?: "receiver" | "stores";
  /** Loads the page, whose clock is paused, and brings it into the state. */
  reach(contact: ContactForm): Promise<unknown>;
}

const STATES_OF_FORM: readonly State[] = [
  {
    name: "contact-invalid",
    reach: async ({ page, email, submit, fields }) => {
      await email.fill("not an address");
      // The message that appears when the field loses the focus must not move the button: a pointer
      // that is released outside of the button does not click it.
      await submit.click();
      for (const field of fields) await field.and(page.locator("[aria-invalid=true]")).waitFor();
    },
  },
  { name: "contact-sending", reach: (contact) => contact.send() },
  { name: "contact-sent", reach: (contact) => contact.sendAndFinish() },
  {
    name: "contact-sent-toast-dismissed",
    reach: async (contact) => {
      await contact.sendAndFinish();
      await contact.dismiss.click();
      await contact.toast.waitFor({ state: "detached" });
    },
  },
  {
    name: "contact-refused",
    site: "receiver",
    reach: async (contact) => {
      await contact.page.route(`${RECEIVER}/**`, (route) => route.abort());
      await contact.fill();
      await contact.submit.click();
      await contact.page.getByRole("alert").waitFor();
    },
  },
];

/** The initial state of every page, with links to stores, too, and the states of the contact form. */
export const STATES: readonly State[] = [
  ...PAGES.map((path) => ({
    name: nameOf(path),
    reach: ({ page }: ContactForm) => open(page, path),
  })),
  { name: "landing-with-stores", site: "stores", reach: ({ page }) => open(page, "/") },
  ...STATES_OF_FORM.map((state) => ({
    ...state,
    reach: async (contact: ContactForm) => {
      await contact.open();
      await state.reach(contact);
    },
  })),
];
