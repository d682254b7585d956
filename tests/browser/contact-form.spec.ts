// PAGE-8, PAGE-10, PAGE-13: sending the contact form, and leaving it.

import { expect, test } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { open, waitForHydration } from "./page/loading.ts";
import { SEND_DELAY_MS } from "./site/specification.ts";

test.describe("the form", () => {
  test.beforeEach(({ contact }) => contact.open());

  test("sending takes 1,000 ms without a request, is announced, and nothing can be typed", async ({
    page,
    contact,
  }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const focused = page.getByRole("main").locator(":focus");
    const region = contact.form.locator("[aria-live=polite]");
    // Screen readers announce changes of a region that exists before.
    const announcer = await region.elementHandle();
    const initialText = await contact.submit.innerText();
    // Otherwise Firefox keeps it disabled over a reload.
    await expect(contact.submit).toHaveAttribute("autocomplete", "off");
    await contact.fill();
    await contact.submit.press("Enter");
    await contact.expectSending();
    await expect(region).not.toHaveText("");
    for (const field of contact.fields) await expect(field).not.toBeEditable();
    await expect(contact.toast).toBeHidden();
    await expect(focused).toHaveCount(1);
    await advanceClock(page, SEND_DELAY_MS - 1);
    await contact.expectSending();
    await expect(contact.toast).toBeHidden();
    await advanceClock(page, 1);
    await expect(contact.toast).toBeVisible();
    await expect(region).toHaveText("");
    expect(await announcer?.evaluate((element) => element.isConnected)).toBe(true);
    await expect(contact.submit).toHaveText(initialText);
    await expect(contact.submit).toBeEnabled();
    await expect(focused).toHaveCount(1);
    await contact.expectValues(["", "", ""]);
    for (const field of contact.fields) await expect(field).toBeEditable();
    // The browser may request the icon at any time.
    expect(requests.filter((request) => !/icon|data:/.test(request))).toEqual([]);
    await expect(page).toHaveURL("/contact");
  });

  test("Enter that is held down sends no second message", async ({ page, contact }) => {
    await contact.fill();
    await contact.email.focus();
    await page.keyboard.down("Enter");
    await contact.expectSending();
    await advanceClock(page, SEND_DELAY_MS);
    for (const _ of ["first", "second", "third"]) {
      await page.keyboard.down("Enter");
      await advanceClock(page, 1_500);
    }
    await page.keyboard.up("Enter");
    await contact.submit.press("Enter");
    await expect(contact.toast).toHaveCount(1);
    await expect(page.locator("[aria-invalid]")).toHaveCount(0);
    // Until something is typed.
    await contact.name.fill("Ada");
    await contact.submit.press("Enter");
    await expect(page.locator("[aria-invalid]")).toHaveCount(2);
  });

  test("leaving the page cancels the timer and the toast", async ({ page, contact }) => {
    const leaveAndReturn = async () => {
      await page.locator("main a[href='/privacy']").click();
      await expect(page.locator("article")).toBeVisible();
      await advanceClock(page, SEND_DELAY_MS);
      await expect(contact.toast).toHaveCount(0);
      await page.goBack();
      await expect(contact.submit).toBeEnabled();
    };
    await contact.send();
    await leaveAndReturn();
    await advanceClock(page, SEND_DELAY_MS);
    await expect(contact.toast).toHaveCount(0);
    await contact.expectValues();
    // Nor does a text get lost by a load.
    await open(page, "/privacy");
    await page.goBack();
    await waitForHydration(page);
    await contact.expectValues();
    await contact.sendAndFinish();
    await leaveAndReturn();
    await contact.expectValues(["", "", ""]);
  });
});

for (const when of ["during sending", "before the app is loaded"]) {
  test(`a visitor who leaves ${when} and comes Back has sent nothing`, async ({
    page,
    contact,
  }) => {
    const loadScripts = await contact.openWithoutApp();
    if (when === "during sending") {
      loadScripts();
      await waitForHydration(page);
    }
    await contact.fill();
    await contact.submit.press("Enter");
    // Playwright disables the cache for Back. A browser that has it may freeze the page at once.
    const isSending = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide"));
      return document.querySelector("form :disabled, form[data-sending]") !== null;
    });
    expect(isSending).toBe(false);
    loadScripts();
    await waitForHydration(page);
    await advanceClock(page, 10_000);
    await expect(contact.toast).toBeHidden();
    await contact.expectValues();
  });
}
