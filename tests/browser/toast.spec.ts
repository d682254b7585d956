// PAGE-11: the toast.

import { expect, test } from "./fixtures.ts";
import { advanceClock, type ContactForm } from "./page/contact-form.ts";
import { hiddenControls } from "./page/overflow.ts";
import { waitForAnimations } from "./page/states.ts";
import { SEND_DELAY_MS, SENDING, TOAST } from "./site/specification.ts";

test.use({ pausedClock: true });

test.beforeEach(({ contact }) => contact.open());

async function showToast(contact: ContactForm): Promise<void> {
  await contact.sendAndFinish();
  await expect(contact.toast).toBeVisible();
}

/** Expects that the toast is shown for its full time from now on, and not longer. */
async function expectFullTime(contact: ContactForm): Promise<void> {
  await advanceClock(contact.page, TOAST.shownForMs - 1);
  await expect(contact.toast).toBeVisible();
  await advanceClock(contact.page, 1);
  await expect(contact.toast).toBeHidden();
}

test(`the toast is announced once, by a live region that was there before, does not take the focus, and is shown for exactly ${TOAST.shownForMs} ms`, async ({
  page,
  contact,
}) => {
  await expect(contact.liveRegion).toHaveCount(1);
  await expect(contact.liveRegion).toHaveText("");
  const region = await contact.liveRegion.elementHandle();
  await showToast(contact);
  expect(await region?.evaluate((element) => element.isConnected)).toBe(true);
  await expect(contact.toast.getByText(TOAST.title, { exact: true })).toBeVisible();
  await expect(contact.toast.getByText(TOAST.description, { exact: true })).toBeVisible();
  const regions = page.locator("[aria-live], [role=status], [role=alert], output");
  await expect(regions.filter({ hasText: /./ })).toHaveCount(1);
  await expect(page.locator(".toast :focus")).toHaveCount(0);
  await expectFullTime(contact);
});

for (const { reason, begin, end } of [
  {
    reason: "the pointer is over it",
    begin: ({ toast }: ContactForm) => toast.getByText(TOAST.title).hover(),
    end: ({ page }: ContactForm) => page.mouse.move(0, 0),
  },
  {
    reason: "it contains the focus",
    begin: ({ dismiss }: ContactForm) => dismiss.focus(),
    end: ({ name }: ContactForm) => name.focus(),
  },
]) {
  test(`it stays while ${reason}, and for its full time afterwards`, async ({ page, contact }) => {
    await showToast(contact);
    await advanceClock(page, 3_000);
    await begin(contact);
    await advanceClock(page, 60_000);
    await expect(contact.toast).toBeVisible();
    await end(contact);
    await expectFullTime(contact);
  });
}

for (const { by, from, to } of [
  { by: "Enter", from: "its button", to: "the field" },
  { by: "Enter", from: "its button", to: "the main content, as nothing had it" },
  { by: "Escape", from: "its button", to: "the field" },
  { by: "Escape", from: "the field", to: "the field" },
  { by: "a click", from: "the field", to: "the field" },
]) {
  test(`it is dismissed by ${by} from ${from}, and the focus returns to ${to}`, async ({
    page,
    contact,
  }) => {
    await showToast(contact);
    const isOfField = to === "the field";
    if (isOfField) await contact.name.focus();
    else await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    if (from === "its button") await contact.dismiss.focus();
    if (by === "a click") await contact.dismiss.click();
    else await page.keyboard.press(by);
    await expect(contact.toast).toBeHidden();
    await expect(isOfField ? contact.name : page.getByRole("main")).toBeFocused();
  });
}

for (const { width, height, bottom, place } of [
  { width: 390, height: 844, bottom: "8px", place: "the window" },
  { width: 1440, height: 900, bottom: "96px", place: "the content, above the footer" },
]) {
  test(`at ${width} px, it is below the form, at the lower edge of ${place}, without a scroll, in the inverse of the page's colours, and fades for 160 ms`, async ({
    page,
    contact,
  }) => {
    await page.setViewportSize({ width, height });
    await showToast(contact);
    const toast = page.getByRole("region", { name: "Notifications" });
    await expect(toast).toHaveCSS("bottom", bottom);
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    await expect(toast).toHaveCSS("background-color", ink);
    await waitForAnimations(page);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const card = await contact.form.evaluate((form) => form.getBoundingClientRect());
    const { left, right, top } = await toast.evaluate((open) => open.getBoundingClientRect());
    expect((left + right) / 2).toBeCloseTo((card.left + card.right) / 2, 0);
    expect(top).toBeGreaterThanOrEqual(card.bottom);
    await toast.evaluate((open) => {
      open.onanimationstart = () => {
        document.title = getComputedStyle(open).animation;
      };
    });
    await page.keyboard.press("Escape");
    await expect(contact.toast).toHaveCount(0);
    expect(await page.title()).toMatch(/^0.16s.* exit$/);
  });
}

test("a second toast replaces the first one, has new elements, and is shown for its full time", async ({
  page,
  contact,
}) => {
  await showToast(contact);
  const first = await contact.toast.getByText(TOAST.title).elementHandle();
  await advanceClock(page, 3_000);
  await showToast(contact);
  await expect(page.getByText(TOAST.title, { exact: true })).toHaveCount(1);
  // Otherwise the same message would not be announced again.
  expect(await first?.evaluate((element) => element.isConnected)).toBe(false);
  await expectFullTime(contact);
});

for (const viewport of [
  { width: 320, height: 180 },
  { width: 1440, height: 500 },
]) {
  for (const control of ["name", "submit"] as const) {
    test(`in a window of ${viewport.width} × ${viewport.height} px, the toast does not appear over the button after Enter: ${control}`, async ({
      page,
      contact,
    }) => {
      await page.setViewportSize(viewport);
      await contact.fill();
      await contact[control].focus();
      // Where the toast appears.
      await contact[control].evaluate((focused) =>
        scrollBy(0, focused.getBoundingClientRect().bottom - innerHeight + 30),
      );
      await page.keyboard.press("Enter");
      await expect(contact.submit).toHaveText(SENDING);
      await advanceClock(page, SEND_DELAY_MS);
      await expect(contact.toast).toBeVisible();
      await waitForAnimations(page);
      await expect(contact.submit).toBeFocused();
      expect(await hiddenControls(page, ":focus")).toEqual([]);
    });
  }
}

for (const [key, viewport] of [
  ["Tab", { width: 320, height: 180 }],
  ["Shift+Tab", { width: 390, height: 844 }],
  ["Tab", { width: 1024, height: 620 }],
] as const) {
  test(`in a window of ${viewport.width} × ${viewport.height} px, the toast covers no control that ${key} focuses`, async ({
    page,
    contact,
  }) => {
    await page.setViewportSize(viewport);
    const controls = await page.locator("a:visible, :is(input, textarea, button):visible").count();
    await showToast(contact);
    await waitForAnimations(page);
    const seen = new Set<number>();
    const covered: string[] = [];
    // Two more stops: the button of the toast, and the end of the page.
    for (let stop = 0; stop < controls + 2; stop += 1) {
      await page.keyboard.press(key);
      const focused = page.locator(":focus:not(.toast *)");
      if ((await focused.count()) === 0) continue;
      // Two links of a page can have the same markup.
      const index = (control: Element) => [...document.querySelectorAll("*")].indexOf(control);
      seen.add(await focused.evaluate(index));
      covered.push(...(await hiddenControls(page, ":focus")));
    }
    expect(covered).toEqual([]);
    expect(seen.size).toBe(controls);
  });
}
