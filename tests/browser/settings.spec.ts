// PAGE-22, PAGE-33: operator settings in the pages.

import { expect, test } from "./fixtures.ts";
import { readHead, readThings } from "./page/head.ts";
import { hold, open, waitForHydration } from "./page/hydration.ts";
import { overflowing, WIDTHS } from "./page/overflow.ts";
import { LONG, SIGNS, STORES } from "./site/sites.ts";
import { APP_NAME, PAGES, ROUTES, WORDS } from "./site/specification.ts";

const STORE_LINKS = [
  { name: /App Store/, url: STORES.APP_STORE_URL },
  { name: /Google Play/, url: STORES.PLAY_STORE_URL },
];

test.describe("with long words and stores", { tag: "@long" }, () => {
  test("a name and an address without spaces fit every page at every width", async ({ page }) => {
    for (const path of PAGES) {
      await page.goto(path);
      const mark = page.getByRole("banner").locator("svg");
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const box = await mark.boundingBox();
        expect.soft(box?.width, `mark at ${width} px`).toBeCloseTo(box?.height ?? 0, 1);
        expect.soft(await overflowing(page), `${path} at ${width} px`).toEqual([]);
      }
    }
  });

  test("the landing page links to the stores first, and React takes the links over", async ({
    page,
  }) => {
    const loadScripts = await hold(page);
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const links = page.locator("main .store-badge");
    const first = await links.first().elementHandle();
    const expectLinks = async () => {
      await expect(links).toHaveCount(STORE_LINKS.length);
      for (const [index, { name, url }] of STORE_LINKS.entries()) {
        await expect(links.nth(index)).toHaveAccessibleName(name);
        await expect(links.nth(index)).toHaveAttribute("href", url);
      }
      await expect(links.first().locator("+ a + a")).toHaveAttribute("href", "/contact");
      const icons = links.locator("path").evaluateAll((all) => all.map((icon) => icon.outerHTML));
      expect(new Set(await icons).size).toBe(STORE_LINKS.length);
    };
    await expectLinks();
    loadScripts();
    await waitForHydration(page);
    await expectLinks();
    expect(await first?.evaluate((link) => link.isConnected)).toBe(true);
    const head = await page.evaluate(readHead);
    expect(head.metas["apple-itunes-app"]).toBe("app-id=123");
    const installUrls = (await readThings(page)).flatMap(({ installUrl }) => installUrl ?? []);
    expect(installUrls).toEqual(STORE_LINKS.map(({ url }) => url));
    await page.locator("header a[href='/contact']").click();
    await page.getByRole("banner").getByRole("link", { name: LONG.APP_NAME }).click();
    await expectLinks();
  });

  for (const { width, height, lines } of [
    { width: 1280, height: 720, lines: [3] },
    { width: 768, height: 1024, lines: [3] },
    { width: 390, height: 844, lines: [2, 1] },
    { width: 320, height: 640, lines: [2, 1] },
  ]) {
    test(`the links to the stores stand evenly beside the main link at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height });
      await page.goto("/");
      const boxes = await page
        .getByRole("main")
        .getByRole("link")
        .evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
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
  test("the signs of the name stay with it, and those beside it in their place", async ({
    page,
  }) => {
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

  test("the configured name and address are shown on each page, also after a page change", async ({
    page,
  }) => {
    for (const path of ROUTES) {
      await open(page, path);
      expect(await page.title()).toContain(SIGNS.APP_NAME);
      await expect(page.getByRole("banner")).toContainText(SIGNS.APP_NAME);
      if (!WORDS.join().includes(APP_NAME))
        await expect(page.locator("body")).not.toContainText(APP_NAME);
      await expect(page.getByText("Küche", { exact: true })).toHaveCount(0);
      // The ü is in a file of its own.
      const files = () =>
        page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      await expect.poll(files).toContainEqual(expect.stringContaining("young-serif-accents"));
    }
    await page.locator("header a[href='/privacy']").click();
    await expect(page.locator("article")).toBeVisible();
    expect(await page.title()).toContain(SIGNS.APP_NAME);
    await expect(page.getByRole("main")).toContainText(SIGNS.APP_NAME);
    const link = page.getByRole("main").getByRole("link", { name: SIGNS.SUPPORT_EMAIL }).last();
    const target = decodeURIComponent((await link.getAttribute("href")) ?? "");
    expect(target).toBe(`mailto:${SIGNS.SUPPORT_EMAIL}`);
  });
});
