// PAGE-8, PAGE-9, PAGE-10, PAGE-12, PAGE-13: sending and validation of the contact form.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { ContactForm, neverHideToast, passTime, stopClock } from "./page/contact-form.ts";
import { holdScripts, hydrated } from "./page/hydration.ts";
import { eventsReceived } from "./page/idle.ts";
import { SEND_DELAY_MS, SENDING } from "./site/specification.ts";

/** Counts the timers that the page has set for as long as sending takes and that still run. */
async function watchSendTimers(page: Page): Promise<() => Promise<{ set: number; left: number }>> {
  await page.evaluate((delay) => {
    const running = new Set<unknown>();
    let set = 0;
    const { setTimeout, clearTimeout } = window;
    window.setTimeout = ((handler: () => void, ms?: number, ...rest: unknown[]) => {
      if (ms !== delay) return setTimeout(handler, ms, ...rest);
      set += 1;
      const timer = setTimeout(() => {
        running.delete(timer);
        handler();
      }, ms);
      running.add(timer);
      return timer;
    }) as typeof setTimeout;
    window.clearTimeout = (timer) => {
      running.delete(timer);
      clearTimeout(timer);
    };
    Object.assign(window, { sendTimers: () => ({ set, left: running.size }) });
  }, SEND_DELAY_MS);
  return () =>
    page.evaluate(() =>
      (window as unknown as { sendTimers(): { set: number; left: number } }).sendTimers(),
    );
}

test.describe("with the clock in hand", () => {
  let contact: ContactForm;

  test.beforeEach(async ({ page }) => {
    await stopClock(page);
    contact = new ContactForm(page);
    await contact.open();
  });

  test("'Sending...' stands on a disabled button for 1000 ms, not a millisecond less", async ({
    page,
  }) => {
    const idle = await contact.submit.innerText();
    await contact.send();
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.submit).toBeDisabled();
    await expect(contact.toast).toBeHidden();

    await passTime(page, SEND_DELAY_MS - 1);
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.toast).toBeHidden();

    await passTime(page, 1);
    await expect(contact.toast).toBeVisible();
    await expect(contact.submit).toHaveText(idle);
    await expect(contact.submit).toBeEnabled();
    for (const field of contact.fields) {
      await expect(field).toHaveValue("");
      await expect(field).toBeEditable();
    }
  });

  test("the cleared form accuses nobody: no field is shown as invalid", async () => {
    await contact.sendToEnd();
    await expect(contact.toast).toBeVisible();
    for (const field of contact.fields) {
      expect(await field.evaluate((element) => element.matches(":user-invalid"))).toBe(false);
    }
  });

  test("a confirmation stays on the page after the toast has gone", async ({ page }) => {
    const before = await page.getByRole("main").innerText();
    await contact.sendToEnd();
    await expect(contact.toast).toBeVisible();
    await passTime(page, 20_000);
    await expect(contact.toast).toBeHidden();
    const after = await page.getByRole("main").innerText();
    const confirmation = after.split("\n").filter((line) => !before.includes(line));
    expect(confirmation.join(" ")).toMatch(/sent|thank/i);
  });

  for (const { by, again } of [
    { by: "a click", again: () => contact.submit.click({ force: true }) },
    { by: "two fast clicks", again: () => contact.submit.dblclick({ force: true }) },
    { by: "Enter in a field", again: () => contact.email.press("Enter") },
    { by: "Enter on the button", again: () => contact.submit.press("Enter") },
    { by: "Space on the button", again: () => contact.submit.press("Space") },
  ]) {
    test(`a second submit while sending is impossible by ${by}`, async ({ page }) => {
      const timers = await watchSendTimers(page);
      await contact.send();
      await expect(contact.submit).toBeDisabled();
      await passTime(page, 500);
      await again();
      expect(await timers()).toEqual({ set: 1, left: 1 });
      await passTime(page, 500);
      await expect(contact.toast).toBeVisible();
      expect(await timers()).toEqual({ set: 1, left: 0 });
    });
  }

  test("a double click sends once", async ({ page }) => {
    const timers = await watchSendTimers(page);
    await contact.fill();
    await contact.submit.dblclick();
    await expect(contact.submit).toHaveText(SENDING);
    expect((await timers()).set).toBe(1);
  });

  test("a message can be sent by Enter, and another one after the first", async ({ page }) => {
    for (const _ of ["first", "second"]) {
      await contact.fill();
      await contact.name.press("Enter");
      await expect(contact.submit).toHaveText(SENDING);
      await passTime(page, SEND_DELAY_MS);
      await expect(contact.submit).toBeEnabled();
      await expect(contact.name).toHaveValue("");
    }
    await expect(contact.toast).toBeVisible();
  });

  test("leaving while sending leaves no timer and no toast behind", async ({ page }) => {
    const timers = await watchSendTimers(page);
    await contact.send();
    await expect(contact.submit).toBeDisabled();
    await page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
    await expect.poll(timers).toEqual({ set: 1, left: 0 });
    await passTime(page, 10_000);
    await expect(page.getByText("Message sent!")).toHaveCount(0);

    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contact Us");
    await expect(contact.submit).toBeEnabled();
    await expect(contact.submit).not.toHaveText(SENDING);
    await passTime(page, 10_000);
    await expect(page.getByText("Message sent!")).toHaveCount(0);
  });

  test("sending never leaves keyboard users without a place", async ({ page }) => {
    const place = () => page.evaluate(() => document.activeElement?.closest("main") !== null);
    await contact.fill();
    await contact.submit.focus();
    await page.keyboard.press("Enter");
    await expect(contact.submit).toHaveText(SENDING);
    expect(await place()).toBe(true);
    await passTime(page, SEND_DELAY_MS);
    await expect(contact.toast).toBeVisible();
    expect(await place()).toBe(true);
  });
});

test("nothing is asked of any server, and nothing is put in the address", async ({ page }) => {
  await neverHideToast(page);
  const contact = new ContactForm(page);
  await contact.open();
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
  await eventsReceived(page);
  expect([...requests, ...sockets]).toEqual([]);
  await expect(page).toHaveURL("/contact");
});

test.describe("the browser's own checks", () => {
  test.beforeEach(async ({ page }) => {
    await new ContactForm(page).open();
  });

  for (const { missing, values } of [
    { missing: "every field", values: ["", "", ""] },
    { missing: "the name", values: ["", "ada@example.com", "Hello"] },
    { missing: "the address", values: ["Ada", "", "Hello"] },
    { missing: "the message", values: ["Ada", "ada@example.com", ""] },
    { missing: "the @ of the address", values: ["Ada", "ada.example.com", "Hello"] },
  ] as const) {
    test(`hold a form back that lacks ${missing}, and lead to the field`, async ({ page }) => {
      const contact = new ContactForm(page);
      await contact.name.fill(values[0]);
      await contact.email.fill(values[1]);
      await contact.message.fill(values[2]);
      await contact.submit.click();

      const invalid = page.locator("form :is(input, textarea):user-invalid");
      await expect(invalid.first()).toBeFocused();
      expect(
        await invalid.first().evaluate((field: HTMLInputElement) => field.validationMessage),
      ).not.toBe("");
      await expect(contact.submit).toBeEnabled();
      await expect(contact.submit).not.toHaveText(SENDING);
    });
  }

  test("show an invalid field by words or a sign, not by colour alone", async ({ page }) => {
    const contact = new ContactForm(page);
    const length = async () => (await contact.form.innerText()).length;
    const before = await length();
    await contact.submit.click();
    await expect(contact.name).toBeFocused();
    await expect.poll(length).toBeGreaterThan(before);
  });

  test("take a press of the button that comes straight from an invalid field", async ({ page }) => {
    // What appears below the field as it loses the focus must not move the button from under the
    // pointer: the press would end beside it and count for nothing.
    const contact = new ContactForm(page);
    await contact.email.fill("not an address");
    await contact.submit.click();
    await expect(contact.name).toBeFocused();
  });

  test("accuse nobody before an attempt", async ({ page }) => {
    const contact = new ContactForm(page);
    for (const field of contact.fields) {
      expect(await field.evaluate((element) => element.matches(":user-invalid"))).toBe(false);
    }
  });
});

test("a form that was filled before the script arrived is not lost", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/contact", { waitUntil: "commit" });
  const contact = new ContactForm(page);
  await contact.fill();
  release();
  await hydrated(page);
  await expect(contact.name).toHaveValue("Ada");
  await expect(contact.message).toHaveValue("Which clips work best?");
});
