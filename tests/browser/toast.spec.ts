// PAGE-11: the toast.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { advanceClock, type ContactForm } from "./page/contact-form.ts";
import { boxesOf, boxOf, setFontSize, WINDOWS } from "./page/layout.ts";
import { waitForAnimations } from "./page/loading.ts";
import { SEND_DELAY_MS, TOAST_MS } from "./site/specification.ts";

test.beforeEach(({ contact }) => contact.open());

/** Expects that the toast is shown for its full time from now on, and not longer. */
async function expectFullTime(contact: ContactForm): Promise<void> {
  await advanceClock(contact.page, TOAST_MS - 1);
  await expect(contact.toast).toBeVisible();
  await advanceClock(contact.page, 1);
  await expect(contact.toast).toBeHidden();
}

test("the toast is announced once, without the focus, and shown for 5,000 ms", async ({
  page,
  contact,
}) => {
  const region = await contact.liveRegion.elementHandle();
  await expect(contact.liveRegion).toHaveText("");
  await contact.sendAndFinish();
  expect(await region?.evaluate((element) => element.isConnected)).toBe(true);
  const regions = page.locator("[aria-live], [role=status], [role=alert], output");
  await expect(regions.filter({ hasText: /./ })).toHaveCount(1);
  await expect(page.locator(".toast :focus")).toHaveCount(0);
  await expectFullTime(contact);
});

for (const [reason, begin, end] of [
  [
    "the pointer is over it",
    ({ toast }: ContactForm) => toast.hover(),
    ({ page }: ContactForm) => page.mouse.move(0, 0),
  ],
  [
    "it contains the focus",
    ({ dismiss }: ContactForm) => dismiss.focus(),
    ({ name }: ContactForm) => name.focus(),
  ],
] as const) {
  test(`it stays while ${reason}, and for its full time afterwards`, async ({ page, contact }) => {
    await contact.sendAndFinish();
    await advanceClock(page, 3_000);
    await begin(contact);
    await advanceClock(page, 60_000);
    await expect(contact.toast).toBeVisible();
    await end(contact);
    await expectFullTime(contact);
  });
}

test("a mouse that rests where the toast appears does not hold it", async ({ page, contact }) => {
  await contact.fill();
  await page.locator(".toast").hover();
  await contact.submit.press("Enter");
  await advanceClock(page, SEND_DELAY_MS);
  await expect(contact.toast).toBeVisible();
  await expectFullTime(contact);
});

for (const [way, close] of [
  ["Escape on its button", ({ dismiss }: ContactForm) => dismiss.press("Escape")],
  ["a click", ({ dismiss }: ContactForm) => dismiss.click()],
] as const) {
  test(`${way} closes it, and the focus returns`, async ({ page, contact }) => {
    await contact.sendAndFinish();
    await contact.name.focus();
    await close(contact);
    await expect(contact.toast).toBeHidden();
    await expect(contact.name).toBeFocused();
    // To the heading, if nothing had it.
    await contact.sendAndFinish();
    await contact.submit.blur();
    await close(contact);
    await expect(contact.toast).toBeHidden();
    await expect(page.locator("h1")).toBeFocused();
  });
}

test("a second toast replaces the first one, for its full time", async ({ page, contact }) => {
  await contact.sendAndFinish();
  const first = await contact.toast.elementHandle();
  await advanceClock(page, 3_000);
  await contact.sendAndFinish();
  await expect(contact.toast).toHaveCount(1);
  // Otherwise the same message would not be announced again.
  expect(await first?.evaluate((element) => element.isConnected)).toBe(false);
  await expectFullTime(contact);
});

for (const [width, height, hasRoom] of [
  [390, 844, true],
  [1440, 900, true],
  [320, 180, false],
  [390, 664, false],
  [1024, 620, false],
] as const) {
  test(`at ${width} × ${height} px, it is in view below the button, and fades for 160 ms`, async ({
    page,
    contact,
  }) => {
    await page.setViewportSize({ width, height });
    await contact.fill();
    // Enter in a field scrolls to no other control.
    await contact.name.press("Enter");
    await contact.expectSending();
    await advanceClock(page, SEND_DELAY_MS);
    for (const part of [contact.toast, contact.submit])
      await expect(part).toBeInViewport({ ratio: 1 });
    await waitForAnimations(page);
    if (hasRoom) expect(await page.evaluate(() => scrollY)).toBe(0);
    const toast = page.getByRole("region");
    const [button, box] = [await boxOf(contact.submit), await boxOf(toast)];
    expect([box.left, box.right]).toEqual([button.left, button.right]);
    expect(Math.abs(box.top - button.bottom - 8)).toBeLessThan(4);
    await toast.evaluate((open) => {
      open.onanimationstart = () => {
        document.title = getComputedStyle(open).animation;
      };
    });
    await page.keyboard.press("Escape");
    await expect(page.locator(".toast-message")).toHaveCount(0);
    expect(await page.title()).toMatch(/^0.16s.* exit$/);
  });
}

/** The distances of the controls from the place of the toast, in px, at every size. Expects that it covers none. */
async function distances(page: Page): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const text of [16, 20, 24, 32]) {
    await setFontSize(page, text);
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      const size = `${width} × ${height} px, text of ${text} px`;
      const { left, right, top, bottom } = await boxOf(page.locator(".toast"));
      const boxes = await boxesOf(page.locator("a, form :is(input, textarea, button)"));
      const covered = boxes.filter(
        (box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top,
      );
      expect.soft(covered, size).toEqual([]);
      found[size] = boxes.map((box) => Math.round(box.top - top));
    }
  }
  return found;
}

test("at every size, the toast covers no control and moves nothing", async ({ page, contact }) => {
  await contact.fill();
  const before = await distances(page);
  await contact.submit.click();
  // A button under the pointer moves.
  await page.mouse.move(0, 0);
  await advanceClock(page, SEND_DELAY_MS);
  await expect(contact.toast).toBeVisible();
  await waitForAnimations(page);
  expect(await distances(page)).toEqual(before);
});
