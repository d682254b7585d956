// PAGE-11: the toast.

import { expect, test } from "./fixtures.ts";
import { advanceClock, ContactForm } from "./page/contact-form.ts";
import { waitForAnimations } from "./page/states.ts";
import { TOAST } from "./site/specification.ts";

let contact: ContactForm;

test.use({ pausedClock: true });

test.beforeEach(async ({ page }) => {
  contact = new ContactForm(page);
  await contact.open();
});

async function showToast(): Promise<void> {
  await contact.sendAndFinish();
  await expect(contact.toast).toBeVisible();
}

test("the toast has its title and description", async () => {
  await showToast();
  await expect(contact.toast.getByText(TOAST.title, { exact: true })).toBeVisible();
  await expect(contact.toast.getByText(TOAST.description, { exact: true })).toBeVisible();
});

test("the live region of the toast exists and is empty before sending", async () => {
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

test("the toast is announced once: no second live region has text", async ({ page }) => {
  await showToast();
  const regions = page.locator("[aria-live], [role=status], [role=alert], output");
  const filled = await regions.evaluateAll((all) => all.filter((region) => region.textContent));
  expect(filled).toHaveLength(1);
});

test("it does not take the focus", async () => {
  await showToast();
  expect(await contact.toast.evaluate((toast) => toast.contains(document.activeElement))).toBe(
    false,
  );
});

test(`it is hidden after about ${TOAST.shownForMs} ms`, async ({ page }) => {
  await showToast();
  await advanceClock(page, TOAST.shownForMs - 500);
  await expect(contact.toast).toBeVisible();
  await advanceClock(page, 1_000);
  await expect(contact.toast).toBeHidden();
});

test("it stays while the pointer is over it", async ({ page }) => {
  await showToast();
  await advanceClock(page, 3_000);
  const hoveredToast = contact.toast.and(page.locator(":hover"));
  await contact.toast.getByText(TOAST.title).hover();
  await expect(hoveredToast).toBeVisible();
  await advanceClock(page, 60_000);
  await expect(contact.toast).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(hoveredToast).toBeHidden();
  await advanceClock(page, TOAST.shownForMs + 500);
  await expect(contact.toast).toBeHidden();
});

test("it stays while it contains the focus", async ({ page }) => {
  await showToast();
  await advanceClock(page, 3_000);
  await contact.dismiss.focus();
  await advanceClock(page, 60_000);
  await expect(contact.toast).toBeVisible();
  await contact.name.focus();
  await advanceClock(page, TOAST.shownForMs + 500);
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
    by: "Escape while it contains the focus",
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
  test(`it can be dismissed by ${by}, and the focus stays in the main content`, async ({
    page,
  }) => {
    await showToast();
    await dismiss();
    await expect(contact.toast).toBeHidden();
    const isFocusInMain = () =>
      page.evaluate(() => document.activeElement?.closest("main") !== null);
    await expect.poll(isFocusInMain).toBe(true);
  });
}

test("a second toast replaces the first one and is shown for its full time", async ({ page }) => {
  await showToast();
  await advanceClock(page, 3_000);
  await showToast();
  await expect(page.getByText(TOAST.title, { exact: true })).toHaveCount(1);
  await advanceClock(page, TOAST.shownForMs - 500);
  await expect(contact.toast).toBeVisible();
  await advanceClock(page, 1_000);
  await expect(contact.toast).toBeHidden();
});

for (const key of ["Tab", "Shift+Tab"]) {
  test(`in a window of 320 × 180 px, the toast covers no control that ${key} focuses`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 180 });
    await showToast();
    await waitForAnimations(page);
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
