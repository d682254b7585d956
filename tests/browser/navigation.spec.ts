// PAGE-1, PAGE-14, PAGE-16, PAGE-29: links in Chromium. promises.ts has what differs between engines.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectTexts, readHead } from "./page/contents.ts";
import { open, waitUntilIdle } from "./page/loading.ts";
import { UNKNOWN_PATH } from "./site/specification.ts";

/** Marks the document. The returned function reports whether the page still has the mark. */
async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
  return () => page.evaluate(() => "marked" in window);
}

for (const options of [{ button: "middle" }, { modifiers: ["Control"] }] as const) {
  test(`a click with ${JSON.stringify(options)} opens a new tab`, async ({ page, context }) => {
    await open(page, "/");
    const opened = context.waitForEvent("page");
    await page.locator("main a[href='/contact']").click(options as object);
    await expect(await opened).toHaveURL("/contact");
    await expect(page).toHaveURL("/");
  });
}

test("an alias of a page shows the page, with its head", async ({ page }) => {
  await open(page, "/contact");
  const loaded = await page.evaluate(readHead);
  await open(page, "/");
  // As a link of the app to this path does.
  await page.evaluate(() => history.pushState(null, "", "/contact-us"));
  await expect(page.locator("form")).toBeVisible();
  await expect.poll(() => page.evaluate(readHead)).toEqual(loaded);
});

for (const { from, added } of [
  { from: "/privacy", added: 0 },
  { from: "/privacy?source=mail", added: 1 },
  { from: "/privacy#data-retention", added: 1 },
]) {
  test(`a link from ${from} to /privacy adds ${added} entries to the history`, async ({ page }) => {
    await open(page, from);
    const isSameDocument = await markDocument(page);
    const before = await page.evaluate(() => history.length);
    await page.locator("footer a[href='/privacy']").click();
    await expect(page.locator("h1")).toBeFocused();
    await expect(page).toHaveURL("/privacy");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    expect((await page.evaluate(() => history.length)) - before).toBe(added);
    expect(await isSameDocument()).toBe(true);
  });
}

for (const [path, text] of [
  ["/privacy", "#data-security p"],
  ["/contact", "form label[for=message] + *"],
] as const) {
  test(`after a click beside the controls of ${path}, Tab goes on from there`, async ({ page }) => {
    await open(page, path);
    const clicked = page.locator(text).first();
    await clicked.scrollIntoViewIfNeeded();
    await clicked.click({ force: true });
    await page.keyboard.press("Tab");
    const isAfter = await clicked.evaluate(
      (element) =>
        element.compareDocumentPosition(document.activeElement as Element) &
        Node.DOCUMENT_POSITION_FOLLOWING,
    );
    expect(isAfter).toBeTruthy();
    await expect(page.locator(":focus")).toBeInViewport();
  });
}

test("an unknown path without a reload is logged once", async ({ page, browserErrors }) => {
  await open(page, "/");
  const isSameDocument = await markDocument(page);
  await page.evaluate((path) => history.pushState(null, "", path), UNKNOWN_PATH);
  await expectTexts(page, "not-found");
  await waitUntilIdle(page);
  expect(browserErrors.all.filter((text) => text.includes(UNKNOWN_PATH))).toHaveLength(1);
  await page.locator("main a").click();
  await expect(page.locator(".hero")).toBeVisible();
  expect(await isSameDocument()).toBe(true);
});
