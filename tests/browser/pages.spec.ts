// PAGE-1, PAGE-2, PAGE-3, PAGE-4, PAGE-5, PAGE-7, PAGE-8, PAGE-14, PAGE-15, PAGE-17, PAGE-18, PAGE-19, PAGE-20, PAGE-21, PAGE-38: the
// texts of each page, in every way to get it.

import type { BrowserContext } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectTexts } from "./page/contents.ts";
import { boxesOf } from "./page/layout.ts";
import { hold, open, waitForHydration, waitUntilIdle } from "./page/loading.ts";
import { fixedDate, LEGAL_PAGES, nameOf, PAGES, UNKNOWN_PATH } from "./site/specification.ts";

for (const path of PAGES) {
  test(`React hydrates ${path}, and Back shows it again`, async ({ page }) => {
    const loadScripts = await hold(page);
    await page.goto(path, { waitUntil: "domcontentloaded" });
    // After a mismatch, such as of a text, React replaces elements, and the new ones have no mark.
    await page.locator("#root *").evaluateAll((all) => {
      for (const element of all) element.setAttribute("data-served", "");
    });
    loadScripts();
    await waitForHydration(page);
    await expect(page.locator("#root :not([data-served])")).toHaveCount(0);
    const heading = page.locator("h1");
    const title = await heading.innerText();
    await page.locator("footer a:not([aria-current])").first().click();
    await expect(heading).toBeFocused();
    await page.goBack();
    await expect(heading).toHaveText(title);
    await expectTexts(page, nameOf(path));
  });
}

test("the fields say what the browser may do", async ({ page, contact }) => {
  await open(page, "/contact");
  for (const [field, properties] of [
    [contact.name, { autocomplete: "name", autocapitalize: "words", enterKeyHint: "next" }],
    [
      contact.email,
      { autocomplete: "email", type: "email", spellcheck: false, enterKeyHint: "next" },
    ],
    [contact.message, { autocomplete: "", spellcheck: true, rows: 6 }],
  ] as const) {
    await expect(field).toBeEditable();
    for (const [name, value] of Object.entries({ ...properties, required: true, maxLength: -1 }))
      await expect(field).toHaveJSProperty(name, value);
  }
});

for (const path of [UNKNOWN_PATH, "/privacy/more", "/%3Cb%3E", "/café", "/index.php?x=1"]) {
  test(`${path} gets 404 and a line on the console`, async ({ page, browserErrors }) => {
    browserErrors.expect(/status of 404/);
    const shown = new URL(path, "http://site").pathname;
    const named = new RegExp(`${shown}|${decodeURI(shown)}`);
    browserErrors.expect(named);
    const response = await open(page, path);
    expect(response.status()).toBe(404);
    await expectTexts(page, "not-found");
    expect(browserErrors.all.filter((text) => named.test(text))).toHaveLength(1);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const path of PAGES) {
    test(`${path} has its text, the date of the build, and links that work`, async ({ page }) => {
      await page.goto(path);
      const built = (await page.locator("html").getAttribute("data-built")) ?? "";
      expect(built).toMatch(/^20\d\d-\d\d-\d\d$/);
      await expect(page.getByRole("contentinfo")).toContainText(`© ${built.slice(0, 4)}`);
      for (const time of await page.locator("time").all()) {
        const date = fixedDate(path) ?? built;
        await expect(time).toHaveAttribute("datetime", date);
        await expect(time).toHaveText(
          new Date(date).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" }),
        );
      }
      await expectTexts(page, path === "/contact" ? "contact-without-script" : nameOf(path));
      // Some programs show every element.
      const messages = page.locator("[id$=-problem], .form-notice");
      expect((await messages.allTextContents()).join("")).toBe("");
      const links = await page
        .locator("a[href^='/']")
        .evaluateAll((all: HTMLAnchorElement[]) => all.map(({ href }) => href));
      expect(links).not.toEqual([]);
      for (const link of new Set(links)) await expect(await page.request.get(link)).toBeOK();
    });
  }
});

for (const path of PAGES) {
  test(`without styles, ${path} has small ornaments and separated links, and fits`, async ({
    page,
  }) => {
    await open(page, path);
    // Of a legal page, not the contents, which styles hide on a phone or in a wide window.
    const part = page.locator(LEGAL_PAGES.some((each) => each === path) ? ".legal-text" : "body");
    // The sign of a link at a heading is of a style.
    const texts = async () => (await part.ariaSnapshot()).replaceAll(/\n *- text: "#"/g, "");
    const before = await texts();
    await page.locator("style").evaluateAll((all) => {
      for (const style of all) style.remove();
    });
    expect(await texts()).toBe(before);
    for (const { width } of await boxesOf(page.locator("svg")))
      expect(width).toBeLessThanOrEqual(64);
    const separators = await page
      .locator("a + a")
      .evaluateAll((all) => all.map((link) => link.previousSibling?.textContent ?? ""));
    for (const separator of separators) expect(separator).toMatch(/^\s+$/);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(pageWidth).toBeLessThanOrEqual(width);
    }
  });
}

/** Failures of a script: it is not loaded, it is truncated, or a function of the browser throws. */
const FAILURES: Readonly<Record<string, (at: BrowserContext) => Promise<unknown>>> = {
  "cannot be loaded": (at) => at.route("**/*.js", (route) => route.abort()),
  "is truncated": (at) =>
    at.route("**/*.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "const page = { title: " }),
    ),
  "throws during rendering": (at) =>
    at.addInitScript(() => {
      Date.prototype.getFullYear = () => {
        throw new Error("intentional error");
      };
    }),
};

for (const [failure, cause] of Object.entries(FAILURES)) {
  test(`if the script ${failure}, texts stay and links work`, async ({
    page,
    context,
    browserErrors,
  }) => {
    browserErrors.expect(/.*/);
    await cause(context);
    for (const path of PAGES) {
      const errors = browserErrors.all.length;
      await page.goto(path, { waitUntil: "load" });
      const isError = (text: string) =>
        !text.includes(UNKNOWN_PATH) && !text.includes("status of 404");
      await expect.poll(() => browserErrors.all.slice(errors).filter(isError)).not.toEqual([]);
      // After this, a failed render would have emptied the page.
      await waitUntilIdle(page);
      if (path === "/contact") await expect(page.getByRole("alert")).toBeVisible();
      await expectTexts(page, path === "/contact" ? "contact-failed" : nameOf(path));
      const link = page.locator("main a[href^='/'], footer a[href^='/']").first();
      const target = (await link.getAttribute("href")) ?? "";
      await link.click();
      await expect(page).toHaveURL(target);
      await expect(page.locator("h1")).toBeVisible();
      await page.waitForLoadState("load");
    }
  });
}
