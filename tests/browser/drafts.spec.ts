// PAGE-8, PAGE-13: the texts in the contact form after a visit to another page.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open, waitForHydration } from "./page/hydration.ts";

test.use({ pausedClock: true });

test.beforeEach(({ contact }) => contact.open());

/** Follows a link to another page, without a reload. */
async function followLink(page: Page): Promise<void> {
  await page.locator("main a[href='/privacy']").click();
  await expect(page.locator("article")).toBeVisible();
}

test("what was typed is still there after Back, Forward or a link, also from a document that was loaded", async ({
  page,
  contact,
}) => {
  await contact.fill();
  await followLink(page);
  await page.goBack();
  await contact.expectValues();
  await page.goForward();
  await page.locator("header a[href='/contact']").click();
  await contact.expectValues();
  await page.goBack();
  await page.goForward();
  await contact.expectValues();
  await open(page, "/privacy");
  await page.goBack();
  await waitForHydration(page);
  await contact.expectValues();
});

test("what was sent is not there after a link and Back", async ({ page, contact }) => {
  await contact.fill();
  await followLink(page);
  await page.goBack();
  await contact.expectValues();
  await contact.sendAndFinish();
  await contact.dismiss.click();
  await followLink(page);
  await page.goBack();
  await contact.expectValues(["", "", ""]);
});
