// PAGE-33: what the first screen of a window shows, and how the landing page fits it.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";
import { HAS_DRAWING, LEGAL_PAGES, UNKNOWN_PATH } from "./site/specification.ts";

/** The main links, and the first line of the legal pages. */
const MAIN_LINKS = { "/": "main .button", [UNKNOWN_PATH]: "main .button" };
const FIRST_TEXTS = Object.fromEntries(LEGAL_PAGES.map((path) => [path, "main section p"]));

/** Opens a page with texts of the length of PAGE-3, whatever the owner's are. */
async function openWithTexts(page: Page, path: string): Promise<void> {
  await open(page, path);
  if (path !== "/") return;
  await page.evaluate(() => {
    const show = (selector: string, text: string) => {
      (document.querySelector(selector) as Element).textContent = text;
    };
    show("h1", "Extract and log your favourite tiktok recipes using AI");
    show(
      ".hero-subheading",
      "Turn your TikTok cooking discoveries into organized recipes with the power of AI",
    );
  });
}

/** Some without the bars of the browser, as after scrolling, and some with them, as at first. */
for (const [width, height, shown] of [
  [844, 390, MAIN_LINKS],
  [844, 340, MAIN_LINKS],
  [740, 300, MAIN_LINKS],
  [667, 375, MAIN_LINKS],
  [667, 331, MAIN_LINKS],
  [568, 320, MAIN_LINKS],
  [320, 568, FIRST_TEXTS],
  [375, 553, FIRST_TEXTS],
] as const) {
  test(`at ${width} × ${height} px, the main link or the text begins on the screen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    for (const [path, selector] of Object.entries(shown)) {
      await openWithTexts(page, path);
      const box = await page.locator(selector).first().boundingBox();
      const end = (box?.y ?? Infinity) + Math.min(box?.height ?? 0, 60);
      expect.soft(end, path).toBeLessThanOrEqual(height);
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
    const picture = await page.locator("main img").boundingBox();
    expect(size).toBeGreaterThan(least);
    // The narrow layout of the drawing is higher than most pictures.
    if (HAS_DRAWING) expect(picture?.height).toBeGreaterThan(0.63 * height);
    await expect(page.locator("main img")).toBeInViewport({ ratio: shown });
    await expect(page.locator("main a")).toBeInViewport({ ratio: 1 });
  });
}

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
] as const) {
  test(`at ${width} × ${height} px, the form has ${columns} columns that messages do not move`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, "/contact");
    const boxes = () =>
      page
        .locator("form, label[for=name], #name, #email, form button")
        .evaluateAll((all) =>
          all.map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
        );
    await expect(page.locator(shown)).toBeInViewport({ ratio: 1 });
    const before = await boxes();
    const [form, label, name, email, button] = before as [
      DOMRect,
      DOMRect,
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    expect(form.bottom - button.bottom).toBeCloseTo(label.top - form.top, 0);
    expect(email.left > name.left).toBe(columns === 2);
    await page.locator("form").evaluate((element: HTMLFormElement) => element.requestSubmit());
    await expect(page.locator("#message-problem svg")).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    expect(await boxes()).toEqual(before);
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
    const code = page.locator(".not-found-code");
    const box = await code.boundingBox();
    expect(Math.abs((box?.width ?? 0) - digits)).toBeLessThan(2);
    // The first path is the shadow of the egg.
    const egg = await code.locator("path").nth(1).boundingBox();
    const line = (box?.y ?? 0) + ((box?.height ?? 0) * 78.5) / 83.5;
    expect(Math.abs((egg?.y ?? 0) + (egg?.height ?? 0) - line)).toBeLessThan(digits / 100);
    await expect(page.getByRole("main").getByRole("link")).toBeInViewport({ ratio: 1 });
  });
}

for (const [path, part] of [
  ["/contact", "form"],
  [UNKNOWN_PATH, "h1"],
  [UNKNOWN_PATH, ".not-found-code"],
] as const) {
  test(`in wide windows, ${part} of ${path} grows`, async ({ page }) => {
    const size = async (width: number, height: number) => {
      await page.setViewportSize({ width, height });
      return (await page.locator(part).boundingBox())?.width ?? 0;
    };
    await open(page, path);
    const usual = await size(1440, 900);
    expect((await size(1920, 1080)) / usual).toBeGreaterThan(1.15);
    expect((await size(2560, 1440)) / usual).toBeGreaterThan(1.25);
  });
}

for (const width of [600, 768, 959]) {
  test(`on an upright tablet of ${width} px, text is centred, and / fits`, async ({ page }) => {
    await page.setViewportSize({ width, height: 1024 });
    for (const path of [UNKNOWN_PATH, "/"]) {
      await open(page, path);
      for (const part of ["heading", "link"] as const) {
        const box = await page.getByRole("main").getByRole(part).boundingBox();
        expect.soft((box?.x ?? 0) + (box?.width ?? 0) / 2, path).toBeCloseTo(width / 2, 0);
      }
    }
    await expect(page.locator(".site-footer")).toBeInViewport({ ratio: 1 });
  });
}
