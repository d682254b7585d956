// PAGE-8, PAGE-9, PAGE-10, PAGE-12, PAGE-13, PAGE-38: sending the contact form, also before the app is loaded.

import { expect, test } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { open, waitForHydration } from "./page/loading.ts";
import { SEND_DELAY_MS } from "./site/specification.ts";

test.describe("the form", () => {
  test.beforeEach(({ contact }) => contact.open());

  test("sending takes 1,000 ms without a request, and nothing can be typed", async ({
    page,
    contact,
  }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const focused = page.getByRole("main").locator(":focus");
    const initialText = await contact.submit.innerText();
    // Otherwise Firefox keeps it disabled over a reload.
    await expect(contact.submit).toHaveAttribute("autocomplete", "off");
    await contact.fill();
    await contact.submit.press("Enter");
    await contact.expectSending();
    for (const field of contact.fields) await expect(field).not.toBeEditable();
    await expect(contact.toast).toBeHidden();
    await expect(focused).toHaveCount(1);
    await advanceClock(page, SEND_DELAY_MS - 1);
    await contact.expectSending();
    await expect(contact.toast).toBeHidden();
    await advanceClock(page, 1);
    await expect(contact.toast).toBeVisible();
    await expect(contact.submit).toHaveText(initialText);
    await expect(contact.submit).toBeEnabled();
    await expect(focused).toHaveCount(1);
    await contact.expectValues(["", "", ""]);
    for (const field of contact.fields) await expect(field).toBeEditable();
    // The browser may request the icon at any time.
    expect(requests.filter((request) => !/icon|data:/.test(request))).toEqual([]);
    await expect(page).toHaveURL("/contact");
  });

  test("a second submit during sending has no effect", async ({ page, contact }) => {
    await contact.send();
    await contact.submit.dblclick({ force: true });
    await contact.email.press("Enter");
    for (const key of ["Enter", "Space"]) await contact.submit.press(key);
    await advanceClock(page, SEND_DELAY_MS);
    const toast = await contact.toast.elementHandle();
    // A second toast would have new elements.
    await advanceClock(page, SEND_DELAY_MS);
    expect(await toast?.evaluate((element) => element.isConnected)).toBe(true);
    await expect(contact.submit).toBeEnabled();
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

  test("after sending, a form that a program has filled can be sent", async ({ contact }) => {
    await contact.sendAndFinish();
    for (const field of contact.fields) {
      await field.evaluate((control: HTMLInputElement) => {
        control.value = "ada@example.com";
      });
    }
    await contact.submit.click();
    await contact.expectSending();
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

  test("a page that the browser keeps for Back sends nothing", async ({ page, contact }) => {
    await contact.send();
    // Playwright disables the back/forward cache. The browser may freeze the page at once.
    const isSending = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide"));
      return document.querySelector("form :disabled") !== null;
    });
    expect(isSending).toBe(false);
    await advanceClock(page, 10_000);
    await expect(contact.toast).toBeHidden();
    await contact.expectValues();
  });
});

test.describe("before the app is loaded", () => {
  let loadScripts: () => void;

  test.beforeEach(async ({ contact }) => {
    loadScripts = await contact.openWithoutApp();
  });

  test("an invalid address is marked when its field is left afterwards", async ({
    page,
    contact,
  }) => {
    await contact.email.pressSequentially("ada");
    loadScripts();
    await waitForHydration(page);
    await expect(contact.email).not.toHaveAttribute("aria-invalid");
    await contact.email.press("Tab");
    await expect(contact.email).toHaveAccessibleDescription(/./);
  });

  test("a form that is submitted and then emptied is checked again", async ({ contact }) => {
    await contact.fill();
    await contact.submit.click();
    await contact.email.clear();
    loadScripts();
    await expect(contact.email).toHaveAccessibleDescription(/./);
    await expect(contact.email).toBeFocused();
    await expect(contact.submit).toBeEnabled();
    await expect(contact.form).not.toHaveAttribute("data-sending");
  });

  test("leaving cancels an early submit", async ({ page, contact }) => {
    await contact.fill();
    await contact.submit.press("Enter");
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
    loadScripts();
    await waitForHydration(page);
    await expect(contact.submit).toBeEnabled();
    await contact.expectValues();
  });
});
