// PAGE-22, PAGE-33: operator settings in the pages.

import { expect, test } from "./fixtures.ts";
import { expectTexts } from "./page/contents.ts";
import { boxesOf, boxOf, overflowing, WIDTHS } from "./page/layout.ts";
import { hold, open, waitForHydration } from "./page/loading.ts";
import { SIGNS } from "./site/sites.ts";
import { PAGES } from "./site/specification.ts";

test.describe("with long words and stores", { tag: "@long" }, () => {
  test("a name and an address without spaces fit every page at every width", async ({ page }) => {
    for (const path of PAGES) {
      await page.goto(path);
      const mark = page.getByRole("banner").locator("svg");
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const box = await boxOf(mark);
        expect.soft(box.width, `mark at ${width} px`).toBeCloseTo(box.height, 1);
        expect.soft(await overflowing(page), `${path} at ${width} px`).toEqual([]);
      }
    }
  });

  test("the landing page links to the stores first", async ({ page }) => {
    const loadScripts = await hold(page);
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const first = await page.locator(".store-badge").first().elementHandle();
    const expectLinks = () => expectTexts(page, "landing-with-stores", ".hero-links");
    await expectLinks();
    loadScripts();
    await waitForHydration(page);
    await expectLinks();
    expect(await first?.evaluate((link) => link.isConnected)).toBe(true);
    await page.locator("header a[href='/contact']").click();
    await page.locator("header a[href='/']").click();
    await expectLinks();
  });

  for (const { width, height, lines } of [
    { width: 1280, height: 720, lines: [3] },
    { width: 768, height: 1024, lines: [3] },
    { width: 390, height: 844, lines: [2, 1] },
    { width: 320, height: 640, lines: [2, 1] },
  ]) {
    test(`the links to the stores stand evenly at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.goto("/");
      const boxes = await boxesOf(page.getByRole("main").getByRole("link"));
      const tops = [...new Set(boxes.map(({ top }) => top))];
      const rows = tops.map((top) => boxes.filter((box) => box.top === top));
      expect(rows.map((row) => row.length)).toEqual(lines);
      const gaps = [
        ...rows.flatMap((row) =>
          row.slice(1).map(({ left }, index) => left - (row[index]?.right ?? 0)),
        ),
        ...rows.slice(1).map(([box], index) => (box?.top ?? 0) - (rows[index]?.[0]?.bottom ?? 0)),
      ];
      expect(gaps.map(Math.round)).toEqual([12, 12]);
      // On a phone, each line is as wide as the text.
      for (const edge of ["left", "right"] as const) {
        const ends = rows.map((row) => Math.round(row.at(edge === "left" ? 0 : -1)?.[edge] ?? 0));
        expect(new Set(ends).size).toBe(1);
      }
    });
  }
});

test.describe("with special characters", { tag: "@signs" }, () => {
  test("a name from right to left moves no sign beside it", async ({ page }) => {
    await open(page, "/");
    const shown = await page.locator("footer p").evaluate((line) => {
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const letters: { letter: string; left: number }[] = [];
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        for (const [index, letter] of [...text.data].entries()) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + 1);
          letters.push({ letter, left: range.getBoundingClientRect().left });
        }
      }
      return letters.sort((one, other) => one.left - other.left).map(({ letter }) => letter);
    });
    const order = "©!\u05d2\u05d1\u05d0";
    expect(shown.filter((letter) => order.includes(letter)).join("")).toBe(order);
    expect(shown.at(-1)).toBe(".");
  });

  test("the configured name and address are shown, also after a page change", async ({ page }) => {
    await open(page, "/");
    expect(await page.title()).toContain(SIGNS.APP_NAME);
    await expect(page.getByRole("banner")).toContainText(SIGNS.APP_NAME);
    // The ü is in a file of its own.
    const files = () =>
      page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    await expect.poll(files).toContainEqual(expect.stringContaining("young-serif-accents"));
    await page.locator("header a[href='/privacy']").click();
    await expect(page.getByRole("main")).toContainText(SIGNS.APP_NAME);
    expect(await page.title()).toContain(SIGNS.APP_NAME);
    const link = page.getByRole("main").getByRole("link", { name: SIGNS.SUPPORT_EMAIL }).last();
    const target = decodeURIComponent((await link.getAttribute("href")) ?? "");
    expect(target).toBe(`mailto:${SIGNS.SUPPORT_EMAIL}`);
  });
});
