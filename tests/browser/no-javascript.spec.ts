// PAGE-20, PAGE-21: pages without JavaScript, pictures or style sheets.

import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_COMPLAINT } from "./page/complaints.ts";
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

test.beforeEach(({ complaints }) => {
  complaints.expect(UNKNOWN_PATH_COMPLAINT);
});

test.describe("with JavaScript switched off", () => {
  test.use({ javaScriptEnabled: false });

  // The contact page differs by what it has to: its form could not answer (see below).
  for (const path of ["/", "/privacy", "/terms", UNKNOWN_PATH]) {
    test(`${path} reads the same as with it`, async ({ page, browser, baseURL }) => {
      await page.goto(path);
      const without = await visibleText(page);
      const scripted = await browser.newPage({ baseURL: baseURL ?? "", javaScriptEnabled: true });
      await open(scripted, path);
      const withScript = await visibleText(scripted);
      await scripted.close();
      expect(without).toBe(withScript);
    });
  }

  for (const { path, heading } of ROUTES) {
    test(`every link of ${path} leads somewhere that exists`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
      const links = await page
        .locator("a[href^='/']")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      expect(links.length).toBeGreaterThan(0);
      for (const link of new Set(links)) {
        expect((await page.request.get(link)).status(), link).toBe(200);
      }
    });
  }

  test("links lead from page to page", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Get in Touch" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contact Us");
    await page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
    await page.getByRole("link", { name: "Back to Home" }).click();
    await expect(page).toHaveURL("/");
  });

  test("/contact says how to write an e-mail, and offers no form that could not answer", async ({
    page,
  }) => {
    await page.goto("/contact");
    const link = page.getByRole("main").getByRole("link", { name: SUPPORT_EMAIL });
    await expect(link).toBeVisible();
    await expect(link).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
    await expect(page.locator("form")).toBeHidden();
  });

  test("an unknown path answers 404 with the way home", async ({ page }) => {
    const response = await page.goto(UNKNOWN_PATH);
    expect(response?.status()).toBe(404);
    await expect(page.getByText(NOT_FOUND)).toBeVisible();
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
  });
});

test("with JavaScript, /contact does not speak of its absence", async ({ page }) => {
  await open(page, "/contact");
  await expect(page.getByRole("main")).not.toContainText(/javascript/i, { useInnerText: true });
});

test.describe("with pictures switched off", () => {
  for (const { path } of ROUTES) {
    test(`${path} names every picture that means something`, async ({ page, complaints }) => {
      complaints.expect(/Failed to load resource/);
      await page.route(/\.(svg|png|jpe?g|webp|avif|ico)$/, (route) => route.abort());
      await open(page, path);
      const nameless = await page
        .locator("img")
        .evaluateAll((all) =>
          all.filter((picture) => !picture.hasAttribute("alt")).map((picture) => picture.outerHTML),
        );
      expect(nameless).toEqual([]);
      await expect(page.getByRole("banner").getByText(APP_NAME)).toBeVisible();
    });
  }
});

test.describe("with style sheets switched off", () => {
  for (const { path, heading } of ROUTES) {
    test(`${path} reads from top to bottom: name, heading, content, footer`, async ({ page }) => {
      await open(page, path);
      await page.evaluate(() => {
        for (const sheet of document.styleSheets) sheet.disabled = true;
      });
      const text = await page.locator("body").innerText();
      const order = [APP_NAME, heading, "Privacy Policy"].map((part) => text.lastIndexOf(part));
      expect(order.every((position) => position >= 0)).toBe(true);
      const box = await page.getByRole("heading", { level: 1 }).boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    });
  }

  for (const path of PAGES) {
    test(`${path} shows no ornament larger than an icon, and words that stand apart`, async ({
      page,
    }) => {
      await open(page, path);
      await page.evaluate(() => {
        for (const style of document.querySelectorAll("style")) style.remove();
      });
      const drawings = await page
        .locator("svg")
        .evaluateAll((all) => all.map((drawing) => drawing.getBoundingClientRect().width));
      expect(drawings.length).toBeGreaterThan(0);
      expect(Math.max(...drawings)).toBeLessThanOrEqual(64);
      await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
      const touching = await page
        .locator("a + a")
        .evaluateAll((all) =>
          all
            .filter((link) => !/^\s+$/.test(link.previousSibling?.textContent ?? ""))
            .map((link) => link.outerHTML),
        );
      expect(touching).toEqual([]);
    });
  }
});
