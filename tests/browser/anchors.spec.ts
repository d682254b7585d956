// PAGE-6: contents and anchors of the legal pages.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { hydrated, open } from "./page/hydration.ts";

const LEGAL_PAGES = ["/privacy", "/terms"];

/** A heading counts as found when it stands in the upper half of the window, hidden by nothing. */
async function standsInView(page: Page, hash: string): Promise<boolean> {
  return page.evaluate((id) => {
    const target = document.getElementById(decodeURIComponent(id));
    const heading = target?.matches("h2") ? target : target?.querySelector("h2");
    if (!heading) return false;
    const box = heading.getBoundingClientRect();
    const x = box.left + Math.min(box.width, 40) / 2;
    const seen = document.elementFromPoint(x, box.top + box.height / 2);
    return box.top >= 0 && box.top < innerHeight / 2 && heading.contains(seen);
  }, hash.slice(1));
}

const contents = (page: Page) => page.getByRole("navigation", { name: /contents|on this page/i });

async function hashes(page: Page): Promise<string[]> {
  const links = contents(page).getByRole("link", { includeHidden: true });
  return links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash));
}

/** A section in the middle: far from the top, and with enough text after it to scroll to it. */
async function middleHash(page: Page): Promise<string> {
  const all = await hashes(page);
  return all[Math.floor(all.length / 2)] ?? "";
}

/** On a small screen the table of contents may be folded together. */
async function followContents(page: Page, hash: string): Promise<void> {
  const link = contents(page).locator(`a[href$='${hash}']`);
  if (!(await link.isVisible())) await contents(page).locator("summary").click();
  await link.click();
}

for (const path of LEGAL_PAGES) {
  for (const viewport of [
    { width: 390, height: 700 },
    { width: 1280, height: 720 },
  ]) {
    test.describe(`${path} at ${viewport.width} px`, () => {
      test.use({ viewport });

      test("has a table of contents that links to each of its sections, in order", async ({
        page,
      }) => {
        await open(page, path);
        const linked = await contents(page)
          .getByRole("link", { includeHidden: true })
          .evaluateAll((all) =>
            all.map((link) => {
              const target = document.querySelector((link as HTMLAnchorElement).hash);
              const heading = target?.matches("h2") ? target : target?.querySelector("h2");
              return { link: link.textContent, heading: heading?.textContent };
            }),
          );
        expect(linked).toEqual(linked.map(({ heading }) => ({ link: heading, heading })));
        const headings = page.locator("main h2:not(nav h2)");
        expect(linked.map(({ heading }) => heading)).toEqual(await headings.allTextContents());
      });

      test("shows the section that its address names when it is loaded", async ({ page }) => {
        await open(page, path);
        const hash = await middleHash(page);
        await page.goto("about:blank");
        await open(page, `${path}${hash}`);
        await expect.poll(() => standsInView(page, hash)).toBe(true);
      });

      test("shows a section by a click in the contents, and Back returns to them", async ({
        page,
      }) => {
        await open(page, path);
        const hash = await middleHash(page);
        await followContents(page, hash);
        await expect(page).toHaveURL(`${path}${hash}`);
        await expect.poll(() => standsInView(page, hash)).toBe(true);
        await page.goBack();
        await expect(page).toHaveURL(path);
        await expect(contents(page)).toBeInViewport();
        await page.goForward();
        await expect.poll(() => standsInView(page, hash)).toBe(true);
      });

      test("comes back to a section by Back from another page", async ({ page }) => {
        await open(page, path);
        const hash = await middleHash(page);
        await followContents(page, hash);
        await expect.poll(() => standsInView(page, hash)).toBe(true);
        await page.getByRole("link", { name: /Back to Home/ }).dispatchEvent("click");
        await expect(page).toHaveURL("/");
        await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
        await page.goBack();
        await expect(page).toHaveURL(`${path}${hash}`);
        await hydrated(page);
        await expect.poll(() => standsInView(page, hash)).toBe(true);
      });
    });
  }

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test(`${path} shows a section by a click in the contents`, async ({ page }) => {
      await page.goto(path);
      const hash = await middleHash(page);
      await followContents(page, hash);
      await expect.poll(() => standsInView(page, hash)).toBe(true);
    });
  });
}
