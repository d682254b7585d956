// PAGE-8, PAGE-9, PAGE-10, PAGE-12, PAGE-13: sending and validation of the contact form.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { ContactForm, stopClock } from "./page/contact-form.ts";
import { hydrated } from "./page/hydration.ts";
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

test("a message is on its way at once and sent between 1.0 and 2.0 seconds later", async ({
  page,
}) => {
  const contact = new ContactForm(page);
  await contact.open();
  await contact.fill();
  // Measured inside the page, where nothing of the test's own slowness counts.
  const measured = page.evaluate(
    (sending) =>
      new Promise<{ sendingAfter: number; sentAfter: number }>((done) => {
        const button = document.querySelector("form button") as HTMLButtonElement;
        let submitted = 0;
        let sendingAfter = Number.NaN;
        addEventListener("submit", () => (submitted = performance.now()), { capture: true });
        new MutationObserver(() => {
          const now = performance.now() - submitted;
          const busy = button.disabled && button.textContent?.trim() === sending;
          if (Number.isNaN(sendingAfter) && busy) sendingAfter = now;
          if (document.body.textContent?.includes("Message sent!"))
            done({ sendingAfter, sentAfter: now });
        }).observe(document, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
      }),
    SENDING,
  );
  await contact.submit.click();
  const { sendingAfter, sentAfter } = await measured;
  expect(sendingAfter).toBeLessThan(100);
  expect(sentAfter).toBeGreaterThanOrEqual(1_000);
  expect(sentAfter).toBeLessThan(2_000);
});

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

    await page.clock.runFor(SEND_DELAY_MS - 1);
    await expect(contact.submit).toHaveText(SENDING);
    await expect(contact.toast).toBeHidden();

    await page.clock.runFor(1);
    await expect(contact.toast).toBeVisible();
    await expect(contact.submit).toHaveText(idle);
    await expect(contact.submit).toBeEnabled();
    for (const field of contact.fields) {
      await expect(field).toHaveValue("");
      await expect(field).toBeEditable();
    }
  });

  test("the cleared form accuses nobody: no field is shown as invalid", async ({ page }) => {
    await contact.send();
    await page.clock.runFor(SEND_DELAY_MS);
    await expect(contact.toast).toBeVisible();
    for (const field of contact.fields) {
      expect(await field.evaluate((element) => element.matches(":user-invalid"))).toBe(false);
    }
  });

  test("a confirmation stays on the page after the toast has gone", async ({ page }) => {
    const before = await page.getByRole("main").innerText();
    await contact.send();
    await page.clock.runFor(SEND_DELAY_MS);
    await expect(contact.toast).toBeVisible();
    await page.clock.runFor(20_000);
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
      await page.clock.runFor(500);
      await again();
      expect(await timers()).toEqual({ set: 1, left: 1 });
      await page.clock.runFor(500);
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
      await page.clock.runFor(SEND_DELAY_MS);
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
    expect(await timers()).toEqual({ set: 1, left: 0 });
    await page.clock.runFor(10_000);
    await expect(page.getByText("Message sent!")).toHaveCount(0);

    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contact Us");
    await expect(contact.submit).toBeEnabled();
    await expect(contact.submit).not.toHaveText(SENDING);
    await page.clock.runFor(10_000);
    await expect(page.getByText("Message sent!")).toHaveCount(0);
  });

  test("sending never leaves keyboard users without a place", async ({ page }) => {
    const place = () => page.evaluate(() => document.activeElement?.closest("main") !== null);
    await contact.fill();
    await contact.submit.focus();
    await page.keyboard.press("Enter");
    await expect(contact.submit).toHaveText(SENDING);
    expect(await place()).toBe(true);
    await page.clock.runFor(SEND_DELAY_MS);
    await expect(contact.toast).toBeVisible();
    expect(await place()).toBe(true);
  });
});

test("nothing is asked of any server, and nothing is put in the address", async ({ page }) => {
  const contact = new ContactForm(page);
  await contact.open();
  await page.waitForLoadState("networkidle");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await contact.send();
  await expect(contact.toast).toBeVisible();
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
    const before = await contact.form.innerText();
    await contact.submit.click();
    await expect(contact.name).toBeFocused();
    const added = (await contact.form.innerText()).length - before.length;
    expect(added).toBeGreaterThan(0);
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
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/contact", { waitUntil: "commit" });
  const contact = new ContactForm(page);
  await contact.fill();
  release();
  await hydrated(page);
  await expect(contact.name).toHaveValue("Ada");
  await expect(contact.message).toHaveValue("Which clips work best?");
});
