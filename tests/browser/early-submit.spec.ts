// PAGE-9, PAGE-10, PAGE-38: a form that is changed or submitted before the app is loaded.

import { expect, test } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { waitForHydration } from "./page/hydration.ts";
import { SEND_DELAY_MS } from "./site/specification.ts";

let loadScripts: () => void;

test.use({ pausedClock: true });

test.beforeEach(async ({ contact }) => {
  loadScripts = await contact.openWithoutApp();
});

test("a submit by two clicks before the script arrives is sent once", async ({ page, contact }) => {
  await contact.fill();
  await contact.submit.dblclick();
  loadScripts();
  await contact.expectSending();
  await advanceClock(page, SEND_DELAY_MS);
  await expect(contact.toast).toHaveCount(1);
  await expect(page).toHaveURL("/contact");
});

test("an invalid address from before the script arrived is marked when its field loses the focus", async ({
  page,
  contact,
}) => {
  await contact.email.pressSequentially("ada");
  loadScripts();
  await waitForHydration(page);
  await expect(contact.email).not.toHaveAttribute("aria-invalid");
  await contact.email.press("Tab");
  await expect(contact.email).toHaveAccessibleDescription(/name@example\.com/);
});

test("a form that is submitted and then emptied before the script arrives is checked again", async ({
  contact,
}) => {
  await contact.fill();
  await contact.submit.click();
  await contact.email.clear();
  loadScripts();
  await expect(contact.email).toHaveAccessibleDescription(/./);
  await expect(contact.email).toBeFocused();
  await expect(contact.submit).toBeEnabled();
  await expect(contact.form).not.toHaveAttribute("data-sending");
});

test("leaving before the app has arrived cancels an early submit", async ({ page, contact }) => {
  await contact.fill();
  await contact.submit.press("Enter");
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
  loadScripts();
  await waitForHydration(page);
  await expect(contact.submit).toBeEnabled();
  await contact.expectValues();
});
