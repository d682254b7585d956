// PAGE-22, PAGE-33: operator settings in the pages.

import { expect, test } from "./fixtures.ts";
import { expectTexts } from "./page/contents.ts";
import { boxesOf, boxOf, overflowing, WIDTHS } from "./page/layout.ts";
import { hold, open, waitForHydration } from "./page/loading.ts";
import { SIGNS } from "./site/sites.ts";

test.describe("with long words and stores", { tag: "@long" }, () => {
  test("a name and an address without spaces fit at every width", async ({ page }) => {
    for (const path of ["/", "/privacy", "/contact"]) {
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
    const expectLinks = () => expectTexts(page, "store-links", ".hero-links");
    await expectLinks();
    loadScripts();
    await waitForHydration(page);
    expect(await first?.evaluate((link) => link.isConnected)).toBe(true);
    await page.locator("header a[href='/contact']").click();
    await page.locator("header a[href='/']").click();
    await expectLinks();
  });

  for (const { width, height, lines } of [
    { width: 1280, height: 720, lines: [3] },
    { width: 320, height: 640, lines: [2, 1] },
  ]) {
    test(`the links to the stores stand evenly at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.goto("/");
      const boxes = await boxesOf(page.getByRole("main").getByRole("link"));
      const tops = [...new Set(boxes.map(({ top }) => top))];
      const rows = tops.map((top) => boxes.filter((box) => box.top === top));
      expect(rows.map((row) => row.length)).toEqual(lines);
      // On a phone, each line is as wide as the text.
      for (const edge of ["left", "right"] as const) {
        const ends = rows.map((row) => Math.round(row.at(edge === "left" ? 0 : -1)?.[edge] ?? 0));
        expect(new Set(ends).size).toBe(1);
      }
      const gaps = boxes.slice(1).map(({ left, top }, index) => {
        const previous = boxes[index] as DOMRect;
        return Math.round(top === previous.top ? left - previous.right : top - previous.bottom);
      });
      expect(gaps).toEqual([12, 12]);
    });
  }
});

test("special characters of a name and an address are shown, also after a page change", {
  tag: "@signs",
}, async ({ page }) => {
  await open(page, "/");
  expect(await page.title()).toContain(SIGNS.APP_NAME);
  await expect(page.getByRole("banner")).toContainText(SIGNS.APP_NAME);
  // A name from right to left moves no sign beside it.
  await expect(page.getByRole("contentinfo").locator("bdi")).toHaveText(SIGNS.APP_NAME);
  // The ü may be in a file of its own: every file of the typeface is loaded.
  const loading = () =>
    page.locator("h1").evaluate((heading) => {
      const [family] = getComputedStyle(heading).fontFamily.replaceAll('"', "").split(",");
      const faces = [...document.fonts].filter((face) => face.family === family);
      return [...new Set(faces.map(({ status }) => status))];
    });
  await expect.poll(loading).toEqual(["loaded"]);
  await page.locator("header a[href='/privacy']").click();
  await expect(page.getByRole("main")).toContainText(SIGNS.APP_NAME);
  expect(await page.title()).toContain(SIGNS.APP_NAME);
  const link = page.getByRole("main").getByRole("link", { name: SIGNS.SUPPORT_EMAIL }).last();
  const target = decodeURIComponent((await link.getAttribute("href")) ?? "");
  expect(target).toBe(`mailto:${SIGNS.SUPPORT_EMAIL}`);
});
