// PAGE-9, PAGE-10, PAGE-12, PAGE-31: messages of the contact form.

import { expect, test } from "./fixtures.ts";
import { ContactForm, passTime, stopClock } from "./page/contact-form.ts";
import { idle } from "./page/idle.ts";
import { SEND_DELAY_MS, SENDING } from "./site/specification.ts";

/** What the form tells, to those who see it and to those who hear it. */
let contact: ContactForm;

test.beforeEach(async ({ page }) => {
  await stopClock(page);
  contact = new ContactForm(page);
  await contact.open();
});

/** The names of the fields that the accessibility tree calls invalid; each says why, no other does. */
async function accused(): Promise<string[]> {
  await idle(contact.page);
  const names: string[] = [];
  for (const field of contact.fields) {
    const id = (await field.getAttribute("id")) ?? "";
    const description = await field.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((reference) => document.getElementById(reference)?.textContent ?? "")
        .join(" "),
    );
    const invalid = (await field.getAttribute("aria-invalid")) === "true";
    if (invalid) {
      expect(description, id).not.toBe("");
      await expect(field).toHaveAccessibleDescription(description);
      await expect(contact.form.getByText(description, { exact: true })).toBeVisible();
      names.push(id);
    } else {
      await expect(field, id).toHaveAccessibleDescription("");
    }
  }
  return names;
}

async function tabThrough(): Promise<void> {
  await contact.name.focus();
  for (const _ of contact.fields) await contact.page.keyboard.press("Tab");
  await expect(contact.submit).toBeFocused();
}

test("a fresh field is neither invalid nor described, also after the keyboard passed by", async () => {
  expect(await accused()).toEqual([]);
  await tabThrough();
  expect(await accused()).toEqual([]);
});

test("a failed attempt accuses exactly the fields that are empty", async () => {
  await contact.email.fill("ada@example.com");
  await contact.submit.click();
  expect(await accused()).toEqual(["name", "message"]);
});

test("a wrong address is told when its field is left, and forgiven with the letter that rights it", async () => {
  await contact.email.pressSequentially("ada");
  expect(await accused()).toEqual([]);
  await contact.email.press("Tab");
  expect(await accused()).toEqual(["email"]);
  await contact.email.press("End");
  await contact.email.pressSequentially("@");
  expect(await accused()).toEqual(["email"]);
  await contact.email.pressSequentially("e");
  expect(await accused()).toEqual([]);
});

test("the form that was sent accuses nobody, also after the keyboard passed by", async () => {
  await contact.submit.click();
  expect(await accused()).toEqual(["name", "email", "message"]);
  await contact.sendToEnd();
  await expect(contact.toast).toBeVisible();
  expect(await accused()).toEqual([]);
  await tabThrough();
  expect(await accused()).toEqual([]);
});

test("that a message is being sent is announced, by an element that was there before", async ({
  page,
}) => {
  const region = contact.form.locator("[aria-live=polite]");
  await expect(region).toHaveText("");
  const before = await region.elementHandle();
  await contact.send();
  await expect(region).toHaveText("Sending your message.");
  expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
  await passTime(page, SEND_DELAY_MS);
  await expect(region).toHaveText("");
});

for (const viewport of [
  { width: 320, height: 640 },
  { width: 390, height: 664 },
  { width: 844, height: 390 },
  { width: 1440, height: 900 },
]) {
  test(`the confirmation comes into view and moves nothing at ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const before = await height();
    await contact.sendToEnd();
    const confirmation = contact.form.getByText(/thank you/i);
    await expect(confirmation).toBeVisible();
    await expect(confirmation).toBeInViewport({ ratio: 1 });
    expect(await height()).toBe(before);
  });
}

test("on the narrowest phone every problem takes one line", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await contact.submit.click();
  const problems = contact.form.locator("[id$=-problem]");
  await expect(problems).toHaveCount(3);
  const heights = await problems.evaluateAll((all) => all.map((problem) => problem.clientHeight));
  expect(new Set(heights).size).toBe(1);
});

test("in forced colours the sign of sending is an open ring", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await contact.send();
  await expect(contact.submit).toHaveText(SENDING);
  const [gap, ring] = await contact.submit.evaluate((button) => {
    const { borderInlineStartColor, borderInlineEndColor } = getComputedStyle(button, "::before");
    return [borderInlineStartColor, borderInlineEndColor];
  });
  expect(gap).not.toBe(ring);
});
