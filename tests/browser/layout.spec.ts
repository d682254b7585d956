// PAGE-3, PAGE-33: layout at every width and text size.

import { expect, test } from "./fixtures.ts";
import { boxesOf, boxOf, overflowing, setFontSize, tooNarrow, WIDTHS } from "./page/layout.ts";
import { open, waitForAnimations, waitForPaint } from "./page/loading.ts";
import {
  APP_NAME,
  LEGAL_PAGES,
  PAGES,
  ROUTES,
  SUPPORT_EMAIL,
  WORDS,
} from "./site/specification.ts";

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true });

  test("the keyboard of a tablet does not change the columns of the form", async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 1366 });
    await open(page, "/contact");
    const columns = () =>
      page.locator("form").evaluate((form) => getComputedStyle(form).gridTemplateColumns);
    const before = await columns();
    await page.setViewportSize({ width: 1024, height: 820 });
    expect(await columns()).toBe(before);
  });
});

for (const [path, lang, title] of [
  ["/privacy", "de", "Datenschutzerklärung"],
  ["/", "ru", "Извлекайте любимые рецепты TikTok с помощью искусственного интеллекта"],
] as const) {
  test(`no word of a translated title breaks: ${title}`, async ({ page }) => {
    await open(page, path);
    await page.locator("html").evaluate((root, lang) => root.setAttribute("lang", lang), lang);
    await page.locator("h1").evaluate((heading, title) => heading.replaceChildren(title), title);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 720 });
      expect.soft(await tooNarrow(page), `${width} px`).toEqual([]);
    }
  });
}

test("a translation keeps the name and the support address, without hyphens", async ({ page }) => {
  for (const path of PAGES) {
    await open(page, path);
    await page.locator("html").evaluate((root) => root.setAttribute("lang", "de"));
    for (const text of [APP_NAME, SUPPORT_EMAIL]) {
      const places = page.locator("body").getByText(new RegExp(text.replace(/\W/g, "\\$&")));
      const changeable = await places.evaluateAll(
        (all, words) =>
          all
            .filter((element) => !words.includes(element.textContent ?? ""))
            .filter(
              (element) =>
                (element as HTMLElement).translate ||
                getComputedStyle(element).hyphens !== "manual",
            )
            .map(({ outerHTML }) => outerHTML),
        WORDS,
      );
      expect.soft(changeable, path).toEqual([]);
    }
  }
});

test("from right to left, everything changes sides", async ({ page }) => {
  for (const path of ROUTES) {
    await open(page, path);
    const parts = page.locator("h1, svg, img, form, label, nav, section").locator("visible=true");
    const before = await boxesOf(parts);
    await page.locator("html").evaluate((root) => root.setAttribute("dir", "rtl"));
    const after = await boxesOf(parts);
    for (const [index, { right }] of before.entries())
      expect
        .soft(after[index]?.left, `${parts.nth(index)} of ${path}`)
        .toBeCloseTo(1280 - right, 0);
    expect.soft(await overflowing(page), path).toEqual([]);
    if (path !== "/")
      await expect(page.locator(".arrow")).toHaveCSS("transform", "matrix(-1, 0, 0, 1, 0, 0)");
  }
});

test("in a larger text, the headline grows, too", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "/");
  const { height } = await boxOf(page.locator("h1"));
  await setFontSize(page, 32);
  expect((await boxOf(page.locator("h1"))).height).toBeGreaterThan(1.35 * height);
});

test("no text is behind the notch of a phone", async ({ page, context }) => {
  const NOTCH_PX = 47;
  const session = await context.newCDPSession(page);
  await page.setViewportSize({ width: 844, height: 390 });
  await session.send("Emulation.setSafeAreaInsetsOverride", {
    insets: { left: NOTCH_PX, right: NOTCH_PX, bottom: 21 },
  });
  for (const path of PAGES) {
    await open(page, path);
    expect.soft(await overflowing(page, { margin: NOTCH_PX }), path).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await session.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: NOTCH_PX } });
  await open(page, "/privacy");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(async () => (await boxOf(page.locator("summary"))).top).toBe(NOTCH_PX);
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test.describe(`at ${width} px`, () => {
    // Set before the page exists: a later change could arrive after the first paint and be
    // recorded as a layout shift.
    test.use({ viewport: { width, height } });

    test("no page shifts when font and picture arrive after the first paint", async ({ page }) => {
      // Names with a hash only: the browser may request the icon at any time.
      await page.route(/\.[0-9a-f]{8}\.(woff2|svg)$/, async (route) => {
        await page.waitForFunction(
          () => performance.getEntriesByName("first-contentful-paint").length > 0,
        );
        await route.continue();
      });
      for (const path of PAGES) {
        await open(page, path);
        await waitForAnimations(page);
        await waitForPaint(page);
        const shifts = await page.evaluate(() => {
          const observer = new PerformanceObserver(() => {});
          observer.observe({ type: "layout-shift", buffered: true });
          return observer.takeRecords().length;
        });
        expect.soft(shifts, path).toBe(0);
      }
    });
  });
}

test("legal text has 56ch, in the middle from 1280 px, and its title stands over it", async ({
  page,
}) => {
  for (const path of LEGAL_PAGES) {
    await open(page, path);
    const [title, text] = [page.locator("h1"), page.locator("main section p").first()];
    for (const width of [768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const { left, right } = await boxOf(text);
      expect((await boxOf(title)).left, `${path} at ${width} px`).toBe(left);
      if (width >= 1280) expect((left + right) / 2, path).toBeCloseTo(width / 2, 0);
    }
    const characters = await text.evaluate((paragraph) => {
      const zero = document.createElement("span");
      zero.style.cssText = "display: block; width: 1ch";
      paragraph.append(zero);
      return paragraph.clientWidth / zero.getBoundingClientRect().width;
    });
    expect(characters, path).toBeCloseTo(56, 0);
  }
});
