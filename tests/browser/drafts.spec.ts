// PAGE-8, PAGE-13: the texts in the contact form after a visit to another page.

import { expect, test } from "./fixtures.ts";
import { ContactForm } from "./page/contact-form.ts";
import { open, waitForHydration } from "./page/hydration.ts";

let contact: ContactForm;

test.use({ pausedClock: true });

test.beforeEach(async ({ page }) => {
  contact = new ContactForm(page);
  await contact.open();
});

/** Follows a link of the page to another one, without a reload. */
async function followLink(): Promise<void> {
  const { page } = contact;
  await page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
}

for (const { by, comeBack } of [
  { by: "Back", comeBack: () => contact.page.goBack() },
  {
    by: "a link",
    comeBack: () => contact.page.getByRole("banner").getByRole("link", { name: "Contact" }).click(),
  },
]) {
  test(`what was typed is still there after a link and ${by}`, async () => {
    await contact.fill();
    await followLink();
    await comeBack();
    await contact.expectFilled();
  });
}

test("what was typed is still there after Back from a document that was loaded", async ({
  page,
}) => {
  await contact.fill();
  await open(page, "/privacy");
  await page.goBack();
  await waitForHydration(page);
  await contact.expectFilled();
});

test("what was sent is not there after a link and Back", async ({ page }) => {
  await contact.fill();
  await followLink();
  await page.goBack();
  await contact.expectFilled();
  await contact.sendAndFinish();
  await expect(contact.toast).toBeVisible();
  await followLink();
  await page.goBack();
  for (const field of contact.fields) await expect(field).toHaveValue("");
});
