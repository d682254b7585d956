// PAGE-6: contents and anchors of the legal pages in Chromium. promises.ts has what differs between engines.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { boxOf, setFontSize } from "./page/layout.ts";
import { open } from "./page/loading.ts";
import { isHeadingInView, SECTION } from "./promises.ts";

const path = "/privacy";
const PHONE = { width: 390, height: 700 };

const contents = (page: Page) => page.locator("article nav");

/** The section that the contents mark. */
const marked = (page: Page) => contents(page).locator("[aria-current]");

test("a heading that is pointed at shows its link, which is no Tab stop", async ({ page }) => {
  await open(page, path);
  const link = page.locator(".anchor").nth(1);
  await expect(link).toHaveCSS("opacity", "0");
  await page.locator("main section h2").nth(1).hover();
  await expect(link).toHaveCSS("opacity", "1");
  await page.mouse.move(0, 0);
  await expect(link).toHaveCSS("opacity", "0");
  await expect(link).toHaveJSProperty("tabIndex", -1);
  await page.keyboard.press("Control+A");
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^[^#]+$/);
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, viewport: PHONE });

  test("the bar names the section that is read, and no heading has a link", async ({ page }) => {
    await open(page, path);
    await expect(page.locator(".anchor").nth(1)).toBeHidden();
    const last = page.locator("main section h2").last();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.locator("summary span")).toHaveText(await last.innerText());
  });
});

test("the contents mark the section that is read", async ({ page }) => {
  await open(page, path);
  const [links, disclosure] = [contents(page).locator("ol a"), contents(page).locator("summary")];
  for (const [width, standard] of [
    [390, 24],
    [1280, 32],
    [1280, 16],
  ] as const) {
    await page.setViewportSize({ width, height: 720 });
    await setFontSize(page, standard);
    await page.evaluate(() => scrollTo(0, 0));
    await expect(links.first()).toHaveAttribute("aria-current", "location");
    // Any that was followed, also the last one at the end.
    for (const link of await links.all()) {
      if (await disclosure.isVisible()) await disclosure.click();
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "location");
      await expect(marked(page)).toHaveCount(1);
    }
  }
  await expect(marked(page)).toBeInViewport();
});

test("Back shows the section of its address, wherever it was left", async ({ page }) => {
  await open(page, `${path}${SECTION}`);
  await page.evaluate(() => scrollBy(0, 500));
  await page.locator(".back-link").dispatchEvent("click");
  await expect(page.locator(".hero")).toBeVisible();
  await page.goBack();
  await expect.poll(() => page.evaluate(isHeadingInView, SECTION)).toBe(true);
});

for (const [way, close] of [
  ["Escape", (page: Page) => page.keyboard.press("Escape")],
  ["a tap outside", (page: Page) => page.mouse.click(100, 100)],
  ["Tab", (page: Page) => contents(page).getByRole("link").last().press("Tab")],
] as const) {
  test(`${way} closes the contents on a phone`, async ({ page }) => {
    await page.setViewportSize(PHONE);
    await open(page, path);
    await contents(page).locator("summary").click();
    await contents(page).getByRole("link").first().focus();
    await close(page);
    await expect(contents(page).getByRole("link").first()).toBeHidden();
    if (way === "Escape") await expect(contents(page).locator("summary")).toBeFocused();
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the contents are closed on a phone and show a section", async ({ page }) => {
    await page.goto(path);
    const row = contents(page).getByRole("link").first();
    await expect(row).toBeVisible();
    await page.setViewportSize(PHONE);
    await expect(row).toBeHidden();
    await contents(page).locator("summary").click();
    expect((await boxOf(row)).height).toBeGreaterThanOrEqual(44);
    await contents(page).locator(`a[href='${SECTION}']`).click();
    await expect.poll(() => page.evaluate(isHeadingInView, SECTION)).toBe(true);
    await expect(row).toBeVisible();
  });
});
