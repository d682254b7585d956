// PAGE-9, PAGE-10, PAGE-12, PAGE-13: sending and validation of the contact form.

import { expect, test, testOnNewPage } from "./fixtures.ts";
import { advanceClock, ContactForm, neverHideToast } from "./page/contact-form.ts";
import { waitForEvents } from "./page/idle.ts";
import { SEND_DELAY_MS, SENDING, TOAST } from "./site/specification.ts";

test.describe("with a paused clock", () => {
  let contact: ContactForm;

  test.use({ pausedClock: true });

  test.beforeEach(async ({ page }) => {
    contact = new ContactForm(page);
    await contact.open();
  });

  test("after a submit, the button is disabled and shows 'Sending...' for exactly 1000 ms", async ({
    page,
  }) => {
    const initialText = await contact.submit.innerText();
    await contact.send();
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.submit).toBeDisabled();
    await expect(contact.toast).toBeHidden();

    await advanceClock(page, SEND_DELAY_MS - 1);
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.toast).toBeHidden();

    await advanceClock(page, 1);
    await expect(contact.toast).toBeVisible();
    await expect(contact.submit).toHaveText(initialText);
    await expect(contact.submit).toBeEnabled();
    for (const field of contact.fields) {
      await expect(field).toHaveValue("");
      await expect(field).toBeEditable();
    }
  });

  test("the confirmation stays on the page after the toast is hidden", async ({ page }) => {
    const before = await page.getByRole("main").innerText();
    await contact.sendAndFinish();
    await expect(contact.toast).toBeVisible();
    await advanceClock(page, 20_000);
    await expect(contact.toast).toBeHidden();
    const after = await page.getByRole("main").innerText();
    const confirmation = after.split("\n").filter((line) => !before.includes(line));
    expect(confirmation.join(" ")).toMatch(/sent|thank/i);
  });

  for (const { by, submit } of [
    { by: "a click", submit: () => contact.submit.click({ force: true }) },
    { by: "a double click", submit: () => contact.submit.dblclick({ force: true }) },
    { by: "Enter in a field", submit: () => contact.email.press("Enter") },
    { by: "Enter on the button", submit: () => contact.submit.press("Enter") },
    { by: "Space on the button", submit: () => contact.submit.press("Space") },
  ]) {
    test(`a second submit by ${by} during sending has no effect`, async ({ page }) => {
      await contact.send();
      await expect(contact.submit).toBeDisabled();
      await advanceClock(page, 500);
      await submit();
      await advanceClock(page, 500);
      const title = await contact.toast.getByText(TOAST.title).elementHandle();
      // A second toast would have new elements.
      await advanceClock(page, SEND_DELAY_MS);
      expect(await title?.evaluate((element) => element.isConnected)).toBe(true);
      await expect(contact.submit).toBeEnabled();
    });
  }

  test("a message can be sent with Enter, and then another one", async ({ page }) => {
    for (const _ of ["first", "second"]) {
      await contact.fill();
      await contact.name.press("Enter");
      await expect(contact.submit).toHaveText(SENDING);
      await advanceClock(page, SEND_DELAY_MS);
      await expect(contact.submit).toBeEnabled();
      await expect(contact.name).toHaveValue("");
    }
    await expect(contact.toast).toBeVisible();
  });

  test("leaving the page during sending cancels the timer and the toast", async ({ page }) => {
    await contact.send();
    await expect(contact.submit).toBeDisabled();
    await page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
    await advanceClock(page, SEND_DELAY_MS);
    await expect(contact.toast).toHaveCount(0);
    await page.goBack();
    await expect(contact.submit).toBeEnabled();
    await advanceClock(page, SEND_DELAY_MS);
    await expect(contact.toast).toHaveCount(0);
  });

  test("a page that the browser keeps for Back while it sends does not send after the return", async ({
    page,
  }) => {
    await contact.send();
    await expect(contact.submit).toBeDisabled();
    // Playwright disables the back/forward cache. The browser may freeze the page before another task.
    const cancelled = await page.evaluate(() => {
      const { clearTimeout } = window;
      let count = 0;
      window.clearTimeout = (timer) => {
        count += 1;
        clearTimeout(timer);
      };
      dispatchEvent(new PageTransitionEvent("pagehide"));
      window.clearTimeout = clearTimeout;
      return count;
    });
    expect(cancelled).toBe(1);
    await expect(contact.submit).toBeEnabled();
    await advanceClock(page, 10_000);
    await expect(contact.toast).toBeHidden();
    await contact.expectFilled();
  });

  test("the focus stays in the main content during and after sending", async ({ page }) => {
    const isFocusInMain = () =>
      page.evaluate(() => document.activeElement?.closest("main") !== null);
    await contact.fill();
    await contact.submit.focus();
    await page.keyboard.press("Enter");
    await expect(contact.submit).toHaveText(SENDING);
    expect(await isFocusInMain()).toBe(true);
    await advanceClock(page, SEND_DELAY_MS);
    await expect(contact.toast).toBeVisible();
    expect(await isFocusInMain()).toBe(true);
  });
});

testOnNewPage(
  "sending is only simulated: it makes no request and does not change the URL",
  async ({ page }) => {
    const contact = new ContactForm(page);
    await contact.open();
    await neverHideToast(page);
    // The browser may request the icon at any time.
    const icons = await page
      .locator("link[rel~=icon]")
      .evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).href));
    const requests: string[] = [];
    page.on("request", (request) => {
      if (!icons.includes(request.url())) requests.push(`${request.method()} ${request.url()}`);
    });
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await contact.send();
    await expect(contact.toast).toBeVisible();
    await waitForEvents(page);
    expect([...requests, ...sockets]).toEqual([]);
    await expect(page).toHaveURL("/contact");
  },
);

test("a click on the button while an invalid field has the focus is a submit", async ({ page }) => {
  // The message that appears when the field loses the focus must not move the button. Otherwise
  // the pointer is released outside of the button, which is not a click.
  const contact = new ContactForm(page);
  await contact.open();
  await contact.email.fill("not an address");
  await contact.submit.click();
  await expect(contact.name).toBeFocused();
});
