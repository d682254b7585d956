// PAGE-33: what the first screen of a window shows, and how the landing page fits it.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { boxesOf, boxOf } from "./page/layout.ts";
import { open } from "./page/loading.ts";
import { HAS_DRAWING, LEGAL_PAGES, UNKNOWN_PATH } from "./site/specification.ts";

const LINKS = { paths: ["/", UNKNOWN_PATH], part: "main .button", ratio: 1 };
/** The first lines of a paragraph. */
const TEXTS = { paths: LEGAL_PAGES, part: "main section p", ratio: 0.2 };

/** Opens a page with texts of the length of PAGE-3, whatever the owner's are. */
async function openWithTexts(page: Page, path: string): Promise<void> {
  await open(page, path);
  if (path !== "/") return;
  for (const [part, text] of [
    ["h1", "Extract and log your favourite tiktok recipes using AI"],
    ["h1 + p", "Turn your TikTok cooking discoveries into organized recipes with the power of AI"],
  ] as const)
    await page.locator(part).evaluate((element, text) => element.replaceChildren(text), text);
}

// Between the bars of the browser, as at first.
for (const [width, height, { paths, part, ratio }] of [
  [844, 340, LINKS],
  [740, 300, LINKS],
  [667, 331, LINKS],
  [568, 320, LINKS],
  [320, 568, TEXTS],
  [375, 553, TEXTS],
] as const) {
  test(`at ${width} × ${height} px, the main link or the text begins on the screen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    for (const path of paths) {
      await openWithTexts(page, path);
      await expect.soft(page.locator(part).first(), path).toBeInViewport({ ratio });
    }
  });
}

for (const [width, height, least, shown] of [
  // Of the picture's 590 units, 320 have the clip, two pills and the ingredients; 362 all pills.
  [375, 553, 32, 320 / 590],
  [360, 640, 31, 362 / 590],
  [390, 664, 34, 362 / 590],
  [412, 732, 36, 362 / 590],
  [390, 844, 34, 0.95],
  [1280, 720, 70, 1],
  [1440, 900, 70, 1],
  [1920, 1080, 86, 1],
  [2560, 1440, 116, 1],
] as const) {
  test(`at ${width} × ${height} px, headline and picture share the first screen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await openWithTexts(page, "/");
    const size = await page
      .locator("h1")
      .evaluate((heading) => Number.parseFloat(getComputedStyle(heading).fontSize));
    const { height: pictureHeight } = await boxOf(page.locator("main img"));
    expect(size).toBeGreaterThan(least);
    // The narrow layout of the drawing is higher than most pictures.
    if (HAS_DRAWING) expect(pictureHeight).toBeGreaterThan(0.63 * height);
    await expect(page.locator("main img")).toBeInViewport({ ratio: shown });
    await expect(page.locator("main a")).toBeInViewport({ ratio: 1 });
  });
}

test("in a window that is almost square, the picture covers no text", async ({ page }) => {
  await page.setViewportSize({ width: 960, height: 900 });
  await openWithTexts(page, "/");
  const { left } = await boxOf(page.locator("main img"));
  expect(left).toBeGreaterThan((await boxOf(page.locator("h1"))).right);
});

test("a headline of 100 letters leaves the button on the first screen", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/");
  const headline = await page.locator("h1").innerText();
  const long = "Anything that an owner likes to say ".repeat(3).slice(0, 100);
  await page.route("**/*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(headline, long) });
  });
  // The browser renders the page: the document has the headline of the build.
  await open(page, "/contact");
  await page.locator("header a[href='/']").click();
  await expect(page.locator("h1")).toHaveText(long);
  await expect(page.locator("main .button")).toBeInViewport({ ratio: 1 });
});

for (const [width, height, columns, shown] of [
  [1440, 900, 1, ".site-footer"],
  [1280, 720, 2, ".site-footer"],
  [1280, 620, 2, "form button"],
  [844, 390, 2, "h1"],
  [768, 1024, 2, ".site-footer"],
  [390, 844, 1, "h1"],
  [360, 640, 1, "h1"],
] as const) {
  test(`at ${width} × ${height} px, the form has ${columns} columns that messages do not move`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, "/contact");
    await expect(page.locator(shown)).toBeInViewport({ ratio: 1 });
    const parts = page.locator("#name, #email, form, form button");
    const before = await boxesOf(parts);
    const [name, email] = [await boxOf(page.locator("#name")), await boxOf(page.locator("#email"))];
    expect(email.left > name.left).toBe(columns === 2);
    await page.locator("form").evaluate((element: HTMLFormElement) => element.requestSubmit());
    await expect(page.locator("#message-problem svg")).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    expect(await boxesOf(parts)).toEqual(before);
  });
}

for (const { width, digits } of [
  { width: 390, digits: 390 - 2 * 18 },
  { width: 1440, digits: 1100 },
  { width: 5120, digits: 880 },
]) {
  test(`at ${width} px, the digits of the 404 page are ${digits} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, UNKNOWN_PATH);
    const { width: shown } = await boxOf(page.locator(".not-found-code"));
    expect(Math.abs(shown - digits)).toBeLessThan(2);
    await expect(page.getByRole("main").getByRole("link")).toBeInViewport({ ratio: 1 });
  });
}

test("in wide windows, the form grows", async ({ page }) => {
  const width = async () => (await boxOf(page.locator("form"))).width;
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "/contact");
  const usual = await width();
  await page.setViewportSize({ width: 2560, height: 1440 });
  expect(await width()).toBeGreaterThan(1.25 * usual);
});

for (const width of [560, 768, 959]) {
  test(`on an upright tablet of ${width} px, text is centred, and / fits`, async ({ page }) => {
    await page.setViewportSize({ width, height: 1024 });
    for (const path of [UNKNOWN_PATH, "/"]) {
      await open(page, path);
      for (const part of ["heading", "link"] as const) {
        const { left, right } = await boxOf(page.getByRole("main").getByRole(part));
        expect.soft((left + right) / 2, path).toBeCloseTo(width / 2, 0);
      }
    }
    await expect(page.locator(".site-footer")).toBeInViewport({ ratio: 1 });
  });
}
