// PAGE-6: contents and anchors of the legal pages.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open, waitForHydration } from "./page/hydration.ts";
import { LEGAL_PAGES } from "./site/specification.ts";

/** True if the heading of the section is in the upper half of the window and not covered. */
async function isHeadingInView(page: Page, hash: string): Promise<boolean> {
  return page.evaluate((id) => {
    const heading = document.getElementById(id)?.querySelector("h2");
    if (!heading) return false;
    const box = heading.getBoundingClientRect();
    const x = box.left + Math.min(box.width, 40) / 2;
    const topmost = document.elementFromPoint(x, box.top + box.height / 2);
    return box.top >= 0 && box.top < innerHeight / 2 && heading.contains(topmost);
  }, hash.slice(1));
}

const contents = (page: Page) => page.getByRole("navigation", { name: "Contents" });

async function hashes(page: Page): Promise<string[]> {
  const links = contents(page).locator("a");
  return links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash));
}

/** The fragment of a section in the middle, with enough text before and after it to scroll. */
async function middleHash(page: Page): Promise<string> {
  const all = await hashes(page);
  return all[Math.floor(all.length / 2)] ?? "";
}

async function followContents(page: Page, hash: string): Promise<void> {
  const disclosure = contents(page).locator("summary");
  if (await disclosure.isVisible()) await disclosure.click();
  await contents(page).locator(`a[href$='${hash}']`).click();
}

for (const { path, sections } of LEGAL_PAGES) {
  for (const viewport of [
    { width: 390, height: 700 },
    { width: 1280, height: 720 },
  ]) {
    test.describe(`${path} at ${viewport.width} px`, () => {
      test.use({ viewport });

      test("shows the section of the URL's fragment after loading", async ({ page }) => {
        await open(page, path);
        const hash = await middleHash(page);
        await page.goto("about:blank");
        await open(page, `${path}${hash}`);
        await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
      });

      test("shows a section after a click in the table of contents, and Back returns to it", async ({
        page,
      }) => {
        await open(page, path);
        const hash = await middleHash(page);
        await followContents(page, hash);
        await expect(page).toHaveURL(`${path}${hash}`);
        await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
        await page.goBack();
        await expect(page).toHaveURL(path);
        await expect(contents(page)).toBeInViewport();
        await page.goForward();
        await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
      });

      test("shows the section again after Back from another page", async ({ page }) => {
        await open(page, path);
        const hash = await middleHash(page);
        await followContents(page, hash);
        await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
        await page.getByRole("link", { name: /Back to Home/ }).dispatchEvent("click");
        await expect(page).toHaveURL("/");
        await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
        await page.goBack();
        await expect(page).toHaveURL(`${path}${hash}`);
        await waitForHydration(page);
        await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
      });
    });
  }

  test(`the link to a section of ${path} is shown while its heading or it is pointed at or focused, and is not copied`, async ({
    page,
  }) => {
    await open(page, path);
    const heading = page.locator("main section h2").nth(1);
    const link = page
      .locator("main section")
      .nth(1)
      .getByRole("link", { name: /^Link to/ });
    await expect(link).toHaveCSS("opacity", "0");
    await heading.hover();
    await expect(link).toHaveCSS("opacity", "1");
    await page.mouse.move(0, 0);
    await expect(link).toHaveCSS("opacity", "0");
    await link.focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(link).toHaveCSS("opacity", "1");
    await page.keyboard.press("Control+A");
    expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^[^#]+$/);
  });

  test.describe("on a touch screen", () => {
    test.use({ hasTouch: true, viewport: { width: 390, height: 664 } });

    test(`the links to the sections of ${path} are shown, lighter than the text`, async ({
      page,
    }) => {
      await open(page, path);
      const link = page
        .locator("main section")
        .nth(1)
        .getByRole("link", { name: /^Link to/ });
      await expect(link).toHaveCSS("opacity", "1");
      const text = await link.evaluate(
        (element) => getComputedStyle(element.parentElement as Element).color,
      );
      await expect(link).not.toHaveCSS("color", text);
    });
  });

  test(`the contents of ${path} mark the section that is read: any that was followed, and the last one at the end`, async ({
    page,
  }) => {
    await open(page, path);
    const marked = contents(page).locator("[aria-current]");
    await expect(marked).toHaveCount(0);
    for (const { anchor } of sections) {
      await followContents(page, `#${anchor}`);
      await expect(marked).toHaveCount(1);
      await expect(marked).toHaveAttribute("href", `#${anchor}`);
    }
    await page.evaluate(() => scrollTo(0, 0));
    await expect(marked).toHaveCount(0);
  });

  test(`the contents of ${path} link to each section in order, by anchors that keep their names`, async ({
    page,
  }) => {
    await open(page, path);
    const links = contents(page).getByRole("link");
    const headings = page.locator("main section h2");
    await expect(links).toHaveText(await headings.allTextContents());
    expect(await hashes(page)).toEqual(sections.map(({ anchor }) => `#${anchor}`));
    await expect(page.locator("main section")).toHaveCount(sections.length);
  });

  for (const { colors, forcedColors } of [
    { colors: "its own", forcedColors: "none" },
    { colors: "forced", forcedColors: "active" },
  ] as const) {
    test(`${path} in ${colors} colours highlights a section only while the address names it`, async ({
      page,
    }) => {
      await page.emulateMedia({ forcedColors });
      await open(page, path);
      const highlighted = () =>
        page.locator("main h2").evaluateAll((all) =>
          all
            .filter((heading) => {
              const { backgroundImage, textDecorationLine } = getComputedStyle(heading);
              return backgroundImage.includes("gradient") || textDecorationLine === "underline";
            })
            .map((heading) => `#${heading.closest("section")?.id}`),
        );
      expect(await highlighted()).toEqual([]);
      const hash = await middleHash(page);
      await followContents(page, hash);
      await expect.poll(highlighted).toEqual([hash]);
      await page.getByRole("contentinfo").locator(`a[href="${path}"]`).click();
      await expect(page).toHaveURL(path);
      await expect.poll(highlighted).toEqual([]);
      await page.goBack();
      await expect(page).toHaveURL(`${path}${hash}`);
      await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
      await expect.poll(highlighted).toEqual([hash]);
    });
  }

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test(`${path} shows a section after a click in the contents, which are closed on a phone`, async ({
      page,
    }) => {
      await page.goto(path);
      const row = contents(page).getByRole("link").first();
      await expect(row).toBeVisible();
      await page.setViewportSize({ width: 390, height: 700 });
      await expect(row).toBeHidden();
      await contents(page).locator("summary").click();
      expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await contents(page).locator("summary").click();
      const hash = await middleHash(page);
      await followContents(page, hash);
      await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
    });
  });
}
