// PAGE-1, PAGE-2, PAGE-3, PAGE-4, PAGE-5, PAGE-7, PAGE-8, PAGE-14, PAGE-15, PAGE-17, PAGE-18, PAGE-19, PAGE-20, PAGE-21, PAGE-38: the
// texts of each page, in every way to get it.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { hold, open, waitForHydration } from "./page/hydration.ts";
import { waitUntilIdle } from "./page/idle.ts";
import { expectTexts } from "./page/texts.ts";
import {
  fixedDate,
  LEGAL_PAGES,
  nameOf,
  PAGES,
  SUPPORT_EMAIL,
  UNKNOWN_PATH,
} from "./site/specification.ts";

for (const path of PAGES) {
  test(`React hydrates ${path} and replaces no element, and Back shows it again`, async ({
    page,
  }) => {
    const loadScripts = await hold(page);
    await page.goto(path, { waitUntil: "domcontentloaded" });
    const elements = page.locator("main *, header *, footer *");
    // After a mismatch, such as of a text, React replaces elements, and the new ones have no mark.
    await elements.evaluateAll((all) => {
      for (const element of all) Object.assign(element, { isPrerendered: true });
    });
    loadScripts();
    await waitForHydration(page);
    const replaced = await elements.evaluateAll((all) =>
      all.filter((element) => !("isPrerendered" in element)).map(({ outerHTML }) => outerHTML),
    );
    expect(replaced).toEqual([]);
    await expectTexts(page, nameOf(path));
    const heading = page.locator("h1");
    const title = await heading.innerText();
    await page.locator("footer a:not([aria-current])").first().click();
    await expect(heading).toBeFocused();
    await page.goBack();
    await expect(heading).toHaveText(title);
    await expectTexts(page, nameOf(path));
  });
}

test("the picture has a text of about 25 words, and shows outlines until it has arrived", {
  tag: "@drawing",
}, async ({ page }) => {
  const loadPictures = await hold(page, { files: "**/*.svg" });
  await page.goto("/", { waitUntil: "domcontentloaded" });
  const picture = page.getByRole("main").getByRole("img");
  await expect(picture).toHaveCSS("background-image", /^url\("data:image\/svg/);
  const words = (await picture.getAttribute("alt"))?.split(" ").length;
  expect(words).toBeGreaterThan(15);
  expect(words).toBeLessThan(30);
  loadPictures();
});

test("below the form are the support address and the links to the legal pages", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 620 });
  await open(page, "/contact");
  const form = await page.locator("form").boundingBox();
  for (const link of [`mailto:${SUPPORT_EMAIL}`, ...LEGAL_PAGES]) {
    const box = await page.getByRole("main").locator(`a[href="${link}"]`).boundingBox();
    expect(box?.y, link).toBeGreaterThan((form?.y ?? 0) + (form?.height ?? 0) - 1);
  }
});

for (const { id, attributes } of [
  {
    id: "name",
    attributes: {
      type: "text",
      autocomplete: "name",
      autocapitalize: "words",
      enterkeyhint: "next",
    },
  },
  {
    id: "email",
    attributes: { type: "email", autocomplete: "email", spellcheck: "false", enterkeyhint: "next" },
  },
  { id: "message", attributes: { rows: "6" } },
] as const) {
  test(`the field ${id} is required, labelled, empty and editable`, async ({ page }) => {
    await open(page, "/contact");
    const field = page.locator(`#${id}`);
    await expect(field).toBeEditable();
    await expect(field).toHaveValue("");
    await expect(field).toHaveJSProperty("required", true);
    await expect(field).toHaveJSProperty("labels.length", 1);
    await expect(field).toHaveJSProperty("maxLength", -1);
    for (const [name, value] of Object.entries(attributes)) {
      await expect(field).toHaveAttribute(name, value);
    }
  });
}

for (const path of [UNKNOWN_PATH, "/privacy/more", "/%3Cb%3E", "/café", "/index.php?x=1"]) {
  test(`${path} gets 404, its page and one line on the console`, async ({
    page,
    browserErrors,
  }) => {
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
    test(`${path} has its text, the date of the build, and links to existing pages`, async ({
      page,
    }) => {
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
      const links = await page
        .locator("a[href^='/']")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      expect(links.length).toBeGreaterThan(0);
      for (const link of new Set(links))
        expect((await page.request.get(link)).status(), link).toBe(200);
    });
  }

  test("/contact says that the form needs JavaScript, and programs that show every element keep words apart and show no error", async ({
    page,
  }) => {
    const served = await (await page.request.get("/contact")).text();
    const text = served.replace(/<(script|style|head)\b.*?<\/\1>|<[^>]*>/gs, "");
    expect(text).not.toMatch(/Please add|Write it as|does not work/);
    await page.goto("/contact");
    const links = await page.locator(".skip-link, header a").allTextContents();
    const words = text.replaceAll("&amp;", "&").trim().split(/\s+/).join(" ");
    expect(words.slice(0, links.join(" ").length)).toBe(links.join(" "));
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

  // Then a page reads in the order of its document, which is that of its texts.
  for (const path of PAGES) {
    test(`${path} has small ornaments and separated links, and fits the window`, async ({
      page,
    }) => {
      await openWithoutStyles(page, path);
      const drawings = await page
        .locator("svg")
        .evaluateAll((all) => all.map((drawing) => drawing.getBoundingClientRect().width));
      expect(drawings.length).toBeGreaterThan(0);
      expect(Math.max(...drawings)).toBeLessThanOrEqual(64);
      await expect(page.locator("h1")).toBeInViewport({ ratio: 1 });
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
    await expect(messages.locator("visible=true")).toHaveCount(1);
    await expect(contact.form.locator("#email-problem")).toBeVisible();
  });
});

/** Failures of a script: it is not loaded, it is truncated, or a function of the browser throws. */
const FAILURES: readonly { failure: string; cause: (at: BrowserContext) => Promise<unknown> }[] = [
  {
    failure: "cannot be loaded",
    cause: (at) => at.route("**/*.js", (route) => route.abort()),
  },
  {
    failure: "is truncated",
    cause: (at) =>
      at.route("**/*.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: "const page = { title: " }),
      ),
  },
  {
    failure: "cannot add event listeners",
    cause: (at) =>
      at.addInitScript(() => {
        Node.prototype.addEventListener = () => {
          throw new Error("intentional error");
        };
      }),
  },
  {
    failure: "throws during rendering",
    cause: (at) =>
      at.addInitScript(() => {
        Date.prototype.getFullYear = () => {
          throw new Error("intentional error");
        };
      }),
  },
];

for (const { failure, cause } of FAILURES) {
  test(`if the script ${failure}, the text of every page stays and its links work`, async ({
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
