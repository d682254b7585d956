// PAGE-8, PAGE-9, PAGE-10, PAGE-14, PAGE-18, PAGE-38: pages that a translation or an extension has changed.

import type { Page } from "@playwright/test";
import { emailProblem } from "../../ui/src/app/components/email-address.ts";
import { expect, test } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { hold, waitForHydration } from "./page/loading.ts";
import { SEND_DELAY_MS, UNKNOWN_PATH } from "./site/specification.ts";

/** Moves each text into a new element, as Chrome's translation does (facebook/react issue 11538). */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts.filter(({ data }) => data.trim() !== "")) {
      const font = document.createElement("font");
      text.replaceWith(font);
      font.append(text.data);
    }
  });
}

const CHANGES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "that nothing has changed": async () => {},
  "that was translated": translate,
  "that a password manager has filled": (page) =>
    page.locator("form :is(input, textarea, button)").evaluateAll((all) => {
      for (const control of all) {
        control.before(document.createElement("foreign-aid"));
        control.classList.add("foreign-fill");
      }
    }),
};

for (const [changed, change] of Object.entries(CHANGES)) {
  test(`on a page ${changed}, values, focus and selection stay`, async ({ page, contact }) => {
    const loadScripts = await contact.openWithoutApp();
    await contact.fill();
    await contact.message.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(6, 11));
    await change(page);
    loadScripts();
    await waitForHydration(page);
    await contact.expectValues();
    await contact.expectNoNotice();
    await expect(contact.message).toBeFocused();
    await page.keyboard.type("songs");
    await expect(contact.message).toHaveValue("Which songs work best?");
  });

  test(`on a page ${changed}, an early submit is shown, and sent once`, async ({
    page,
    contact,
  }) => {
    const loadScripts = await contact.openWithoutApp();
    await contact.fill();
    await contact.submit.dblclick();
    await change(page);
    const indicator = () =>
      contact.submit.evaluate((button) => getComputedStyle(button, "::before").content);
    expect(await indicator()).toBe('""');
    loadScripts();
    await contact.expectSending();
    await expect(contact.form).toBeFocused();
    await advanceClock(page, SEND_DELAY_MS);
    await expect(contact.toast).toHaveCount(1);
    await expect(contact.submit).toBeFocused();
    expect(await indicator()).toBe("none");
    await contact.expectValues(["", "", ""]);
  });
}

for (const path of ["/privacy", UNKNOWN_PATH]) {
  test(`an early translation of ${path} stays, with focus and links`, async ({
    page,
    browserErrors,
  }) => {
    const loadScripts = await hold(page);
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await translate(page);
    const link = page.getByRole("main").getByRole("link").first();
    await link.focus();
    const target = (await link.getAttribute("href")) ?? "";
    const root = await page.locator("#root").elementHandle();
    loadScripts();
    // The app gives the page up: another root replaces the root with React's listeners.
    await expect.poll(() => root?.evaluate((element) => element.isConnected)).toBe(false);
    await expect(page.locator("h1 font")).toBeVisible();
    await expect(link).toBeFocused();
    // PAGE-14
    const logged = () => browserErrors.all.filter((text) => text.includes(UNKNOWN_PATH)).length;
    await expect.poll(logged).toBe(path === UNKNOWN_PATH ? 1 : 0);
    await link.click();
    await expect(page).toHaveURL(target);
    await waitForHydration(page);
  });
}

test("a translated page describes an invalid address, and sends more than one message", async ({
  page,
  contact,
}) => {
  await contact.open();
  for (const value of ["ada", "ada@"]) {
    await translate(page);
    await contact.fill();
    await contact.email.fill(value);
    await contact.submit.click();
    await expect(contact.email).toHaveAccessibleDescription(emailProblem(value));
    await expect(contact.form.getByText(emailProblem(value))).toBeVisible();
    await contact.sendAndFinish();
    await expect(contact.submit).toBeEnabled();
  }
});
