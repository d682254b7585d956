// PAGE-20, PAGE-21: pages without JavaScript, pictures or style sheets.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open } from "./page/hydration.ts";
import { visibleText } from "./page/text.ts";
import {
  APP_NAME,
  NOT_FOUND,
  PAGES,
  ROUTES,
  SUPPORT_EMAIL,
  UNKNOWN_PATH,
} from "./site/specification.ts";

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const path of PAGES) {
    test(`${path} has its text, and links to existing pages`, async ({
      page,
      browser,
      baseURL,
    }) => {
      await page.goto(path);
      // /contact has a different text, because its form requires JavaScript (see below).
      if (path !== "/contact") {
        const scripted = await browser.newPage({ baseURL: baseURL ?? "", javaScriptEnabled: true });
        await open(scripted, path);
        expect(await visibleText(page)).toBe(await visibleText(scripted));
        await scripted.close();
      }
      const links = await page
        .locator("a[href^='/']")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      expect(links.length).toBeGreaterThan(0);
      for (const link of new Set(links)) {
        expect((await page.request.get(link)).status(), link).toBe(200);
      }
    });
  }

  test("/contact is text for programs that show every element: words apart, and no error", async ({
    page,
  }) => {
    const served = await (await page.request.get("/contact")).text();
    const text = served.replace(/<(script|style|head)\b.*?<\/\1>|<[^>]*>/gs, "");
    expect(text).toMatch(/^\s*Skip to content\s+RecipeLog\s+Contact\s+Privacy\s/);
    expect(text).not.toMatch(/Please add|Write it as|does not work/);
  });

  test("/contact has the support address as a mail link and hides the form", async ({ page }) => {
    await page.goto("/contact");
    const link = page.getByRole("main").getByRole("link", { name: SUPPORT_EMAIL });
    await expect(link).toBeVisible();
    await expect(link).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
    await expect(page.locator("main noscript p")).toBeVisible();
    await expect(page.locator("form")).toBeHidden();
  });
});

test.describe("without style sheets", () => {
  async function openWithoutStyles(page: Page, path: string): Promise<void> {
    await open(page, path);
    await page.evaluate(() => {
      for (const style of document.querySelectorAll("style")) style.remove();
    });
  }

  for (const { path, heading } of [...ROUTES, { path: UNKNOWN_PATH, heading: NOT_FOUND }]) {
    test(`${path} reads in order, with small ornaments and separated links, and fits the window`, async ({
      page,
    }) => {
      await openWithoutStyles(page, path);
      const text = await page.locator("body").innerText();
      const parts = ["Skip to content", APP_NAME, heading, "All rights reserved"];
      const positions = parts.map((part) => text.indexOf(part));
      expect(positions).not.toContain(-1);
      expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      const drawings = await page
        .locator("svg")
        .evaluateAll((all) => all.map((drawing) => drawing.getBoundingClientRect().width));
      expect(drawings.length).toBeGreaterThan(0);
      expect(Math.max(...drawings)).toBeLessThanOrEqual(64);
      await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
      const unseparated = await page
        .locator("a + a")
        .evaluateAll((all) =>
          all
            .filter((link) => !/^\s+$/.test(link.previousSibling?.textContent ?? ""))
            .map((link) => link.outerHTML),
        );
      expect(unseparated).toEqual([]);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 720 });
        const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
        expect.soft(pageWidth).toBeLessThanOrEqual(width);
      }
    });
  }

  test("only a marked field of the form has a message", async ({ page, contact }) => {
    await openWithoutStyles(page, "/contact");
    const messages = contact.form.locator("[id$=-problem]");
    await expect(messages).toHaveCount(3);
    await expect(messages.locator("visible=true")).toHaveCount(0);
    await contact.email.fill("ada");
    await contact.message.focus();
    await expect(messages.locator("visible=true")).toHaveText(["Write it as name@example.com."]);
  });
});
