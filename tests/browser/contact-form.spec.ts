// PAGE-9, PAGE-10, PAGE-12, PAGE-13: sending the contact form.

import { expect, test } from "./fixtures.ts";
import { advanceClock, type ContactForm, neverHideToast } from "./page/contact-form.ts";
import { waitForEvents } from "./page/idle.ts";
import { SEND_DELAY_MS, SENDING, TOAST } from "./site/specification.ts";

test.describe("with a paused clock", () => {
  test.use({ pausedClock: true });

  test.beforeEach(({ contact }) => contact.open());

  test(`sending takes ${SEND_DELAY_MS} ms, in which nothing can be typed, with the focus in the main content`, async ({
    page,
    contact,
  }) => {
    const focused = page.getByRole("main").locator(":focus");
    const initialText = await contact.submit.innerText();
    // Otherwise Firefox keeps it disabled over a reload.
    await expect(contact.submit).toHaveAttribute("autocomplete", "off");
    await contact.fill();
    await contact.submit.press("Enter");
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.submit).toBeDisabled();
    for (const field of contact.fields) await expect(field).not.toBeEditable();
    await expect(contact.toast).toBeHidden();
    await expect(focused).toHaveCount(1);

    await advanceClock(page, SEND_DELAY_MS - 1);
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.toast).toBeHidden();

    await advanceClock(page, 1);
    await expect(contact.toast).toBeVisible();
    await expect(contact.submit).toHaveText(initialText);
    await expect(contact.submit).toBeEnabled();
    await expect(focused).toHaveCount(1);
    for (const field of contact.fields) {
      await expect(field).toHaveValue("");
      await expect(field).toBeEditable();
    }
  });

  for (const { by, submit } of [
    {
      by: "a double click",
      submit: (contact: ContactForm) => contact.submit.dblclick({ force: true }),
    },
    { by: "Enter in a field", submit: (contact: ContactForm) => contact.email.press("Enter") },
    { by: "Enter on the button", submit: (contact: ContactForm) => contact.submit.press("Enter") },
    { by: "Space on the button", submit: (contact: ContactForm) => contact.submit.press("Space") },
  ]) {
    test(`a second submit by ${by} during sending has no effect`, async ({ page, contact }) => {
      await contact.send();
      await expect(contact.submit).toBeDisabled();
      await advanceClock(page, 500);
      await submit(contact);
      await advanceClock(page, 500);
      const title = await contact.toast.getByText(TOAST.title).elementHandle();
      // A second toast would have new elements.
      await advanceClock(page, SEND_DELAY_MS);
      expect(await title?.evaluate((element) => element.isConnected)).toBe(true);
      await expect(contact.submit).toBeEnabled();
    });
  }

  test("Enter that is held down, or pressed again by a hand that trembles, is no second message", async ({
    page,
    contact,
  }) => {
    await contact.fill();
    await contact.email.focus();
    await page.keyboard.down("Enter");
    await expect(contact.submit).toHaveText(SENDING);
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

  test("a page that the browser keeps while it sends does not send after the return", async ({
    page,
    contact,
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
});

test("sending is only simulated: it makes no request and does not change the URL", async ({
  page,
  contact,
}) => {
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
  page.on("websocket", (socket) => requests.push(socket.url()));
  await contact.send();
  await expect(contact.toast).toBeVisible();
  await waitForEvents(page);
  expect(requests).toEqual([]);
  await expect(page).toHaveURL("/contact");
});
