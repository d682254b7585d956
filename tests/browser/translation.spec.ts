// PAGE-10: the contact form on a page that the browser has translated.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { ContactForm } from "./page/contact-form.ts";

test.use({ pausedClock: true });

/** Moves each text into a new element, as Chrome's translation does (facebook/react issue 11538). */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts.filter(({ data }) => data.trim() !== "")) {
      const font = document.createElement("font");
      text.replaceWith(font);
      font.append(text.data);
    }
  });
}

test("on a translated page, an invalid address is described by its own sentence", async ({
  page,
}) => {
  const contact = new ContactForm(page);
  await contact.open();
  await translate(page);
  await contact.fill();
  for (const { value, problem } of [
    { value: "ada", problem: "The address has no @." },
    { value: "ada@", problem: "The address is incomplete." },
  ]) {
    await contact.email.fill(value);
    await contact.submit.click();
    await expect(contact.email).toHaveAccessibleDescription(problem);
    await expect(contact.form.getByText(problem)).toBeVisible();
    await translate(page);
  }
});

test("on a translated page, two messages can be sent", async ({ page }) => {
  const contact = new ContactForm(page);
  await contact.open();
  for (const _ of ["first", "second"]) {
    await translate(page);
    await contact.sendAndFinish();
    await expect(contact.toast).toBeVisible();
    await expect(contact.form.getByText(/thank you/i)).toBeVisible();
    await expect(contact.submit).toHaveText("Send Message");
  }
});
