// PAGE-3, PAGE-33: layout at every width and text size.

import { expect, test } from "./fixtures.ts";
import { boxOf, overflowing, setFontSize, WIDTHS } from "./page/layout.ts";
import { open, waitForAnimations, waitForPaint } from "./page/loading.ts";
import { APP_NAME, LEGAL_PAGES, PAGES, SUPPORT_EMAIL, WORDS } from "./site/specification.ts";

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
    await page.evaluate(
      ([lang, title]) => {
        document.documentElement.lang = lang;
        const words = title.split(" ").flatMap((word) => {
          const font = document.createElement("font");
          font.append(word);
          return [font, " "];
        });
        document.querySelector("h1")?.replaceChildren(...words);
      },
      [lang, title] as const,
    );
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 720 });
      const broken = await page
        .locator("h1 font")
        .evaluateAll((words) =>
          words.filter((word) => word.getClientRects().length > 1).map((word) => word.textContent),
        );
      expect.soft(broken, `${width} px`).toEqual([]);
    }
  });
}

test("a translation keeps the name and the support address, without hyphens", async ({ page }) => {
  for (const path of PAGES) {
    await open(page, path);
    const changeable = await page.evaluate(
      ([kept, words]) => {
        document.documentElement.lang = "de";
        return [...document.querySelectorAll<HTMLElement>("body :not(script, style)")]
          .filter(({ childNodes }) =>
            [...childNodes].some(
              (node) =>
                node instanceof Text &&
                !words.includes(node.data) &&
                kept.some((text) => node.data.includes(text)),
            ),
          )
          .filter((element) => element.translate || getComputedStyle(element).hyphens !== "manual")
          .map(({ outerHTML }) => outerHTML);
      },
      [[APP_NAME, SUPPORT_EMAIL], WORDS] as const,
    );
    expect.soft(changeable, path).toEqual([]);
  }
});

test("from right to left, arrow, glow and egg change sides", async ({ page }) => {
  for (const path of ["/contact", ...LEGAL_PAGES, "/"]) {
    await open(page, path);
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
    expect.soft(await overflowing(page), path).toEqual([]);
    if (path !== "/")
      await expect(page.locator(".arrow")).toHaveCSS("transform", "matrix(-1, 0, 0, 1, 0, 0)");
    if (await page.locator(".legal-egg").isHidden()) continue;
    const { right } = await boxOf(page.locator(".legal-egg"));
    expect.soft(right, path).toBeLessThan((await boxOf(page.locator("h1"))).left);
  }
  const { left, right } = await boxOf(page.locator("main img"));
  const glow = await page
    .locator(".hero")
    .evaluate((hero) => /at ([\d.]+)%/.exec(getComputedStyle(hero).backgroundImage)?.[1]);
  expect(Math.abs((Number(glow) / 100) * 1280 - (left + right) / 2)).toBeLessThan(64);
});

test("in a larger text, the headline grows, too", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "/");
  const size = () =>
    page.locator("h1").evaluate((heading) => Number.parseFloat(getComputedStyle(heading).fontSize));
  const before = await size();
  await setFontSize(page, 32);
  await expect.poll(size).toBeGreaterThan(1.35 * before);
});

test("no text is behind the notch of a phone", async ({ page, context }) => {
  const NOTCH_PX = 47;
  const session = await context.newCDPSession(page);
  const setNotch = (insets: { left?: number; right?: number; top?: number; bottom: number }) =>
    session.send("Emulation.setSafeAreaInsetsOverride", { insets });
  await page.setViewportSize({ width: 844, height: 390 });
  await setNotch({ left: NOTCH_PX, right: NOTCH_PX, bottom: 21 });
  for (const path of PAGES) {
    await open(page, path);
    expect.soft(await overflowing(page, { margin: NOTCH_PX }), path).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await setNotch({ top: NOTCH_PX, bottom: 34 });
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

    for (const files of ["at once", "after the first paint"]) {
      test(`no page shifts if font and picture arrive ${files}`, async ({ page }) => {
        const isPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;
        // Names with a hash only: the browser may request the icon at any time.
        await page.route(/\.[0-9a-f]{8}\.(woff2|svg)$/, async (route) => {
          if (files !== "at once") await page.waitForFunction(isPainted);
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
    }
  });
}

test("legal text has 56ch, below the name, and in the middle from 1280 px", async ({ page }) => {
  for (const path of LEGAL_PAGES) {
    await page.setViewportSize({ width: 768, height: 900 });
    await open(page, path);
    const column = () => boxOf(page.locator("main section"));
    expect((await column()).left, path).toBe((await boxOf(page.locator(".brand"))).left);
    await page.setViewportSize({ width: 1280, height: 900 });
    const { left, right } = await column();
    expect((left + right) / 2, path).toBeCloseTo(1280 / 2, 0);
    await page.setViewportSize({ width: 1440, height: 900 });
    const widths = await page.locator("main section p").evaluateAll((all) =>
      all.map((paragraph) => {
        const zero = document.createElement("span");
        zero.style.cssText = "display: block; width: 1ch";
        paragraph.append(zero);
        return paragraph.clientWidth / zero.getBoundingClientRect().width;
      }),
    );
    expect(Math.max(...widths), path).toBeCloseTo(56, 0);
  }
});
