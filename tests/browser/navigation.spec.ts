// PAGE-1, PAGE-14, PAGE-16, PAGE-17, PAGE-24, PAGE-29: links, Back and Forward, the skip link.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { type Head, readHead } from "./page/head.ts";
import { open, waitForHydration } from "./page/hydration.ts";
import { waitUntilIdle } from "./page/idle.ts";
import { expectTexts } from "./page/texts.ts";
import { focusAsWebKit } from "./page/webkit-focus.ts";
import { PAGES, UNKNOWN_PATH } from "./site/specification.ts";

/** Links between the pages: PAGE-2, PAGE-3, PAGE-4, PAGE-5, PAGE-7, PAGE-14. */
const LINKS = [
  ["/", "header a", "/contact"],
  ["/", "header a", "/privacy"],
  ["/", "footer a", "/privacy"],
  ["/", "footer a", "/terms"],
  ["/", "footer a", "/contact"],
  ["/", "main a", "/contact"],
  ["/privacy", "main a", "/"],
  ["/terms", "main a", "/"],
  ["/contact", "main a", "/"],
  ["/contact", "main a", "/privacy"],
  ["/contact", "main a", "/terms"],
  [UNKNOWN_PATH, "main a", "/"],
] as const;

/** What only this page has. */
const CONTENT = {
  "/": ".hero",
  "/privacy": "#data-retention",
  "/terms": "#app-services",
  "/contact": "form",
} as const;

function heading(page: Page) {
  return page.locator("h1");
}

/** Marks the document. The returned function reports whether the page still has the mark. */
async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
  return () => page.evaluate(() => "marked" in window);
}

async function follow(page: Page, link: string): Promise<void> {
  // Unlike a click, the event does not scroll the link into view.
  await page.locator(link).first().dispatchEvent("click");
}

/** Unmarked links to the current page, and marked links to other pages. */
async function mismarkedLinks(page: Page): Promise<string[]> {
  return page
    .locator("a[href^='/']")
    .evaluateAll((all) =>
      (all as HTMLAnchorElement[])
        .filter(
          (link) => link.hasAttribute("aria-current") !== (link.pathname === location.pathname),
        )
        .map((link) => `${link.textContent} → ${link.getAttribute("href")}`),
    );
}

const scrollTop = (page: Page) => page.evaluate(() => Math.round(scrollY));

// The head has addresses only with an origin.
test.describe("following a link", { tag: "@origin" }, () => {
  for (const [from, place, to] of LINKS) {
    test(`in ${place} of ${from} shows ${to} without a reload, at its top, with its head and the focus on its heading`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 390, height: 640 });
      await open(page, to);
      const loaded = await readHead(page);
      await open(page, from);
      const isSameDocument = await markDocument(page);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await follow(page, `${place}[href="${to}"]`);
      await expect(page).toHaveURL(to);
      await expect(heading(page)).toBeFocused();
      await expect.poll(() => scrollTop(page)).toBe(0);
      await expect.poll(() => readHead(page)).toEqual(loaded);
      await expect(page.locator(CONTENT[to])).toBeVisible();
      expect(await mismarkedLinks(page)).toEqual([]);
      expect(await isSameDocument()).toBe(true);
    });
  }

  for (const options of [{ button: "middle" }, { modifiers: ["Control"] }] as const) {
    test(`with ${JSON.stringify(options)} opens a new tab and keeps this page`, async ({
      page,
      context,
    }) => {
      await open(page, "/");
      const opened = context.waitForEvent("page");
      await page.locator("main a[href='/contact']").click(options as object);
      await expect(await opened).toHaveURL("/contact");
      await expect(page).toHaveURL("/");
    });
  }
});

test("an alias of a page shows the page, with its head (PAGE-1)", async ({ page }) => {
  await open(page, "/contact");
  const loaded = await readHead(page);
  await open(page, "/");
  const isSameDocument = await markDocument(page);
  // As a link of the app to this path does.
  await page.evaluate(() => history.pushState(null, "", "/contact-us?from=mail"));
  await expect(page.locator("form")).toBeVisible();
  await expect.poll(() => readHead(page)).toEqual(loaded);
  expect(await isSameDocument()).toBe(true);
  await page.reload();
  await expect(page).toHaveURL("/contact?from=mail");
});

for (const { from, added } of [
  { from: "/privacy", added: 0 },
  { from: "/privacy?source=mail", added: 1 },
  { from: "/privacy#data-retention", added: 1 },
]) {
  test(`a link from ${from} to /privacy adds ${added} entries to the history`, async ({ page }) => {
    await open(page, from);
    const isSameDocument = await markDocument(page);
    const before = await page.evaluate(() => history.length);
    await follow(page, "footer a[href='/privacy']");
    await expect(heading(page)).toBeFocused();
    await expect(page).toHaveURL("/privacy");
    await expect.poll(() => scrollTop(page)).toBe(0);
    expect((await page.evaluate(() => history.length)) - before).toBe(added);
    expect(await isSameDocument()).toBe(true);
  });
}

/** Longer than the interval in which Chromium saves the scroll position. */
const SCROLL_SAVE_MS = 1_500;

test.describe("Back and Forward", () => {
  test("show the earlier page at its scroll position with its head, without a reload", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 640 });
    const heads = new Map<string, Head>();
    for (const path of ["/", "/contact", "/privacy"]) {
      await open(page, path);
      heads.set(path, await readHead(page));
    }
    const isSameDocument = await markDocument(page);
    await page.evaluate(() => scrollTo(0, 1500));
    await follow(page, ".back-link");
    await expect(page.locator(CONTENT["/"])).toBeVisible();
    await expect.poll(() => scrollTop(page)).toBe(0);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const leftAt = await scrollTop(page);
    expect(leftAt).toBeGreaterThan(0);
    await follow(page, "main a[href='/contact']");
    await expect(page.locator(CONTENT["/contact"])).toBeVisible();

    for (const { move, path, top } of [
      { move: "goBack", path: "/", top: leftAt },
      { move: "goBack", path: "/privacy", top: 1500 },
      { move: "goForward", path: "/", top: leftAt },
      { move: "goForward", path: "/contact", top: 0 },
    ] as const) {
      await page[move]();
      await expect(page).toHaveURL(path);
      await expect(page.locator(CONTENT[path])).toBeVisible();
      await expect.poll(() => readHead(page)).toEqual(heads.get(path));
      await expect.poll(() => scrollTop(page)).toBe(top);
    }
    expect(await isSameDocument()).toBe(true);
  });

  test("return the focus to the link that was followed, else to the heading", async ({ page }) => {
    await page.setViewportSize({ width: 800, height: 640 });
    await open(page, "/privacy");
    const links = page.getByRole("contentinfo").getByRole("link");
    await links.nth(1).press("Enter");
    await expect(page.locator(CONTENT["/terms"])).toBeVisible();
    await expect(heading(page)).toBeFocused();
    await page.goBack();
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(links.nth(2)).toBeFocused();
    await page.goForward();
    await expect(page.locator(CONTENT["/terms"])).toBeVisible();
    await expect(heading(page)).toBeFocused();
  });

  test("return the focus to a link that was clicked in Safari, which gives it none", async ({
    page,
  }) => {
    await focusAsWebKit(page);
    await open(page, "/privacy");
    const link = page.getByRole("contentinfo").getByRole("link").nth(1);
    await link.click();
    await expect(heading(page)).toBeFocused();
    await page.goBack();
    await expect(link).toBeFocused();
  });

  test("restore the scroll position after a visit to another site", async ({ page }) => {
    await open(page, "/privacy");
    await page.evaluate(() => scrollTo(0, 1500));
    // Chromium saves the scroll position about once per second, with a timer on the main thread of
    // the page. Leaving the page ends its process, and with it this timer. A longer timer on the
    // same thread runs after it.
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), SCROLL_SAVE_MS);
    await page.goto("about:blank");
    await page.goBack();
    await waitForHydration(page);
    await expect.poll(() => scrollTop(page)).toBe(1500);
  });
});

test("where a sandbox forbids a change of the address, a link loads its page", async ({ page }) => {
  await page.addInitScript(() => {
    history.pushState = history.replaceState = () => {
      throw new DOMException("intentional error", "SecurityError");
    };
  });
  await open(page, "/");
  const isSameDocument = await markDocument(page);
  await page.locator("main a[href='/contact']").click();
  await expect(page).toHaveURL("/contact");
  await expect(page.locator(CONTENT["/contact"])).toBeVisible();
  await waitForHydration(page);
  expect(await isSameDocument()).toBe(false);
});

test("a form that is shown by a link, or again by Forward, does not say that it fails (PAGE-19)", async ({
  page,
  contact,
}) => {
  await open(page, "/");
  await follow(page, "main a[href='/contact']");
  await contact.expectNoNotice();
  await page.goBack();
  await expect(page.locator(CONTENT["/"])).toBeVisible();
  await page.goForward();
  await contact.expectNoNotice();
});

for (const path of ["/privacy", "/contact"]) {
  test(`after a click beside the controls of ${path}, Tab goes on from there`, async ({ page }) => {
    await open(page, path);
    const text = path === "/privacy" ? "#data-security p" : "form label[for=message] + *";
    const clicked = page.locator(text).first();
    await clicked.scrollIntoViewIfNeeded();
    await clicked.click({ force: true });
    await page.keyboard.press("Tab");
    const isAfter = await clicked.evaluate(
      (element) =>
        element.compareDocumentPosition(document.activeElement as Element) &
        Node.DOCUMENT_POSITION_FOLLOWING,
    );
    expect(isAfter).toBeTruthy();
    await expect(page.locator(":focus")).toBeInViewport();
  });
}

test("an unknown path that is opened without a reload is logged once on the console", async ({
  page,
  browserErrors,
}) => {
  await open(page, "/");
  const isSameDocument = await markDocument(page);
  await page.evaluate((path) => history.pushState(null, "", path), UNKNOWN_PATH);
  await expectTexts(page, "not-found");
  await waitUntilIdle(page);
  expect(browserErrors.all.filter((text) => text.includes(UNKNOWN_PATH))).toHaveLength(1);
  await follow(page, "main a");
  await expect(page.locator(CONTENT["/"])).toBeVisible();
  expect(await isSameDocument()).toBe(true);
});

for (const path of PAGES) {
  test(`${path} marks the current links, and its skip link is the first Tab stop and leads to the content`, async ({
    page,
  }) => {
    await open(page, path);
    expect(await mismarkedLinks(page)).toEqual([]);
    await page.keyboard.press("Tab");
    const skip = page.locator(".skip-link");
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#main$/);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  });
}
