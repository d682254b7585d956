// PAGE-8, PAGE-13: the texts in the contact form after a visit to another page.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open, waitForHydration } from "./page/hydration.ts";

test.use({ pausedClock: true });

test.beforeEach(({ contact }) => contact.open());

/** Follows a link to another page, without a reload. */
async function followLink(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
}

test("what was typed is still there after Back, Forward or a link, also from a document that was loaded", async ({
  page,
  contact,
}) => {
  await contact.fill();
  await followLink(page);
  await page.goBack();
  await contact.expectFilled();
  await page.goForward();
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await contact.expectFilled();
  await page.goBack();
  await page.goForward();
  await contact.expectFilled();
  await open(page, "/privacy");
  await page.goBack();
  await waitForHydration(page);
  await contact.expectFilled();
});

test("what was sent is not there after a link and Back", async ({ page, contact }) => {
  await contact.fill();
  await followLink(page);
  await page.goBack();
  await contact.expectFilled();
  await contact.sendAndFinish();
  await contact.dismiss.click();
  await followLink(page);
  await page.goBack();
  for (const field of contact.fields) await expect(field).toHaveValue("");
});
