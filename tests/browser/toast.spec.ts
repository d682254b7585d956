// PAGE-11: the toast.

import { expect, test } from "./fixtures.ts";
import { ContactForm, passTime, stopClock } from "./page/contact-form.ts";
import { settled } from "./page/states.ts";
import { TOAST } from "./site/specification.ts";

let contact: ContactForm;

test.beforeEach(async ({ page }) => {
  await stopClock(page);
  contact = new ContactForm(page);
  await contact.open();
});

async function showToast(): Promise<void> {
  await contact.sendToEnd();
  await expect(contact.toast).toBeVisible();
}

test("the toast thanks in the specification's words", async () => {
  await showToast();
  await expect(contact.toast.getByText(TOAST.title, { exact: true })).toBeVisible();
  await expect(contact.toast.getByText(TOAST.description, { exact: true })).toBeVisible();
});

test("the live region that announces it is there, and empty, before anything is sent", async () => {
  await expect(contact.liveRegion).toHaveCount(1);
  await expect(contact.liveRegion).toHaveText("");
  const region = await contact.liveRegion.elementHandle();
  await showToast();
  const text = await region?.evaluate((element) =>
    element.isConnected ? element.textContent : "",
  );
  expect(text).toContain(TOAST.title);
  expect(text).toContain(TOAST.description);
});

test("it is announced once: no second live region speaks at the same time", async ({ page }) => {
  await showToast();
  const regions = page.locator("[aria-live], [role=status], [role=alert], output");
  const speaking = await regions.evaluateAll((all) => all.filter((region) => region.textContent));
  expect(speaking).toHaveLength(1);
});

test("it does not take the focus away", async () => {
  await showToast();
  expect(await contact.toast.evaluate((toast) => toast.contains(document.activeElement))).toBe(
    false,
  );
});

test("it goes by itself after about five seconds", async ({ page }) => {
  await showToast();
  await passTime(page, TOAST.shownForMs - 500);
  await expect(contact.toast).toBeVisible();
  await passTime(page, 1_000);
  await expect(contact.toast).toBeHidden();
});

test("it waits while the pointer rests on it", async ({ page }) => {
  await showToast();
  await passTime(page, 3_000);
  const pointedAt = contact.toast.and(page.locator(":hover"));
  await contact.toast.getByText(TOAST.title).hover();
  await expect(pointedAt).toBeVisible();
  await passTime(page, 60_000);
  await expect(contact.toast).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(pointedAt).toBeHidden();
  await passTime(page, TOAST.shownForMs + 500);
  await expect(contact.toast).toBeHidden();
});

test("it waits while it holds the focus", async ({ page }) => {
  await showToast();
  await passTime(page, 3_000);
  await contact.dismiss.focus();
  await passTime(page, 60_000);
  await expect(contact.toast).toBeVisible();
  await contact.name.focus();
  await passTime(page, TOAST.shownForMs + 500);
  await expect(contact.toast).toBeHidden();
});

for (const { by, dismiss } of [
  { by: "a click on its button", dismiss: () => contact.dismiss.click() },
  {
    by: "Enter on its button",
    dismiss: async () => {
      await contact.dismiss.focus();
      await contact.dismiss.press("Enter");
    },
  },
  {
    by: "Escape while it holds the focus",
    dismiss: async () => {
      await contact.dismiss.focus();
      await contact.page.keyboard.press("Escape");
    },
  },
  {
    by: "Escape from anywhere",
    dismiss: async () => {
      await contact.name.focus();
      await contact.page.keyboard.press("Escape");
    },
  },
]) {
  test(`it can be dismissed by ${by}, which does not lose the reader's place`, async ({ page }) => {
    await showToast();
    await dismiss();
    await expect(contact.toast).toBeHidden();
    const inMain = () => page.evaluate(() => document.activeElement?.closest("main") !== null);
    await expect.poll(inMain).toBe(true);
  });
}

test("there is one toast at a time, and a second one has its own five seconds", async ({
  page,
}) => {
  await showToast();
  await passTime(page, 3_000);
  await showToast();
  await expect(page.getByText(TOAST.title, { exact: true })).toHaveCount(1);
  await passTime(page, TOAST.shownForMs - 500);
  await expect(contact.toast).toBeVisible();
  await passTime(page, 1_000);
  await expect(contact.toast).toBeHidden();
});

for (const key of ["Tab", "Shift+Tab"]) {
  test(`in the smallest window, no control that ${key} comes to lies under it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 180 });
    await showToast();
    await settled(page);
    await contact[key === "Tab" ? "name" : "submit"].focus();
    const covered: string[] = [];
    for (let stop = 0; stop < 4; stop += 1) {
      await page.keyboard.press(key);
      const hidden = await page.evaluate(() => {
        const control = document.activeElement?.closest("form *");
        const toast = document.querySelector(".toast-open");
        if (!control || !toast) return "";
        const { top, bottom } = control.getBoundingClientRect();
        const below =
          Math.min(bottom, innerHeight) - Math.max(top, toast.getBoundingClientRect().bottom);
        return below > 0 ? "" : control.outerHTML.slice(0, 80);
      });
      if (hidden) covered.push(hidden);
    }
    expect(covered).toEqual([]);
  });
}
