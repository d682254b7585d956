// PAGE-14, PAGE-16, PAGE-17, PAGE-29: links, Back and Forward, the skip link.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_COMPLAINT } from "./page/complaints.ts";
import { hydrated, open } from "./page/hydration.ts";
import { idle } from "./page/idle.ts";
import { NOT_FOUND, PAGES, ROUTES, UNKNOWN_PATH } from "./site/specification.ts";

/** One step from a screen to another by a link that the specification names. */
const STEPS = [
  { from: "/", link: "Privacy", to: "/privacy" },
  { from: "/", link: "Contact", to: "/contact" },
  { from: "/", link: "Get in Touch", to: "/contact" },
  { from: "/", link: "Terms of Service", to: "/terms" },
  { from: "/privacy", link: /Back to Home/, to: "/" },
  { from: "/terms", link: /Back to Home/, to: "/" },
  { from: "/contact", link: /Back to Home/, to: "/" },
  { from: "/contact", link: "Privacy Policy", to: "/privacy" },
  { from: "/contact", link: /Terms/, to: "/terms" },
  { from: UNKNOWN_PATH, link: "Return to Home", to: "/" },
] as const;

function heading(page: Page) {
  return page.getByRole("heading", { level: 1 });
}

function headingOf(path: string): string {
  return ROUTES.find((route) => route.path === path)?.heading ?? NOT_FOUND;
}

/** Leaves a mark in the window that only a new document would wipe out. */
async function markWindow(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { marked: true }));
  return () => page.evaluate(() => "marked" in window);
}

async function follow(page: Page, link: string | RegExp): Promise<void> {
  const exact = typeof link === "string";
  // The event rather than a click: it does not scroll the link into view first.
  await page.getByRole("link", { name: link, exact }).first().dispatchEvent("click");
}

async function describedHead(page: Page) {
  return page.evaluate(() => ({
    title: document.title,
    description: document.querySelector("meta[name=description]")?.getAttribute("content"),
    robots: document.querySelector("meta[name=robots]")?.getAttribute("content"),
    socialTitle: document.querySelector("meta[property='og:title']")?.getAttribute("content"),
  }));
}

const scrollTop = (page: Page) => page.evaluate(() => Math.round(scrollY));

test.beforeEach(({ complaints }) => {
  complaints.expect(UNKNOWN_PATH_COMPLAINT);
});

test.describe("following a link", () => {
  for (const { from, link, to } of STEPS) {
    test(`${link} on ${from} shows ${to} without a reload, from its top, heading focused`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 390, height: 640 });
      await open(page, from);
      const alive = await markWindow(page);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await follow(page, link);
      await expect(page).toHaveURL(to);
      await expect(heading(page)).toHaveText(headingOf(to));
      await expect(heading(page)).toBeFocused();
      await expect.poll(() => scrollTop(page)).toBe(0);
      expect(await alive()).toBe(true);
    });

    test(`${link} on ${from} brings the title and description that ${to} loads with`, async ({
      page,
    }) => {
      await open(page, to);
      const loaded = await describedHead(page);
      await open(page, from);
      expect((await describedHead(page)).title).not.toBe(loaded.title);
      await follow(page, link);
      await expect.poll(() => describedHead(page)).toEqual(loaded);
    });
  }

  for (const { name, options } of [
    { name: "with the middle button", options: { button: "middle" as const } },
    { name: "with Ctrl held", options: { modifiers: ["Control" as const] } },
  ]) {
    test(`${name} leaves this page alone and opens another`, async ({ page, context }) => {
      await open(page, "/");
      const opened = context.waitForEvent("page");
      await page.getByRole("link", { name: "Get in Touch" }).click(options);
      await expect(await opened).toHaveURL("/contact");
      await expect(page).toHaveURL("/");
    });
  }
});

/** A reader stays at least as long before leaving. */
const SCROLL_NOTED_MS = 1_500;

test.describe("Back and Forward", () => {
  test("show the earlier page where it was left, without a reload", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 640 });
    await open(page, "/privacy");
    const alive = await markWindow(page);
    await page.evaluate(() => scrollTo(0, 1500));
    await follow(page, /Back to Home/);
    await expect(heading(page)).toHaveText(headingOf("/"));
    await expect.poll(() => scrollTop(page)).toBe(0);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const leftAt = await scrollTop(page);
    expect(leftAt).toBeGreaterThan(0);
    await follow(page, "Get in Touch");
    await expect(heading(page)).toHaveText(headingOf("/contact"));

    for (const { move, path, top } of [
      { move: "goBack", path: "/", top: leftAt },
      { move: "goBack", path: "/privacy", top: 1500 },
      { move: "goForward", path: "/", top: leftAt },
      { move: "goForward", path: "/contact", top: 0 },
    ] as const) {
      await page[move]();
      await expect(page).toHaveURL(path);
      await expect(heading(page)).toHaveText(headingOf(path));
      await expect.poll(() => scrollTop(page)).toBe(top);
    }
    expect(await alive()).toBe(true);
  });

  test("bring the title of the page that they show", async ({ page }) => {
    await open(page, "/");
    const home = await page.title();
    await follow(page, "Get in Touch");
    await expect(page).not.toHaveTitle(home);
    await page.goBack();
    await expect(page).toHaveTitle(home);
  });

  test("from another site come back to where the page was left", async ({ page }) => {
    await open(page, "/privacy");
    await page.evaluate(() => scrollTo(0, 1500));
    // Chromium notes about once a second where a page stands, and its process goes with the page.
    // It does so by a timer on the page's main thread; a later timer there runs after it.
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), SCROLL_NOTED_MS);
    await page.goto("about:blank");
    await page.goBack();
    await hydrated(page);
    await expect.poll(() => scrollTop(page)).toBe(1500);
  });
});

test("the console names an unknown path that is reached without a reload, once", async ({
  page,
  complaints,
}) => {
  await open(page, "/");
  const alive = await markWindow(page);
  await page.evaluate((path) => history.pushState(null, "", path), UNKNOWN_PATH);
  await expect(page.getByText(NOT_FOUND)).toBeVisible();
  await idle(page);
  expect(complaints.all.filter((text) => text.includes(UNKNOWN_PATH))).toHaveLength(1);
  await follow(page, "Return to Home");
  await expect(heading(page)).toHaveText(headingOf("/"));
  expect(await alive()).toBe(true);
});

test.describe("aria-current marks the links to the page that is shown, and no others", () => {
  /** Links to this very page that are not marked, and marked links that lead elsewhere. */
  const wrong = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>("a[href^='/']")]
        .filter((link) => !link.hash)
        .filter(
          (link) =>
            (link.getAttribute("aria-current") === "page") !==
            (link.pathname === location.pathname),
        )
        .map((link) => `${link.textContent} → ${link.getAttribute("href")}`),
    );

  for (const path of PAGES) {
    test(`on ${path}`, async ({ page }) => {
      await open(page, path);
      expect(await wrong(page)).toEqual([]);
    });
  }

  test("after following links too", async ({ page }) => {
    await open(page, "/");
    for (const { link, to } of [
      { link: "Privacy", to: "/privacy" },
      { link: /Back to Home/, to: "/" },
      { link: "Get in Touch", to: "/contact" },
    ]) {
      await follow(page, link);
      await expect(heading(page)).toHaveText(headingOf(to));
      await expect.poll(() => wrong(page)).toEqual([]);
    }
  });
});

test.describe("the skip link", () => {
  for (const path of PAGES) {
    test(`on ${path} is the first stop, comes into view and leads to the content`, async ({
      page,
    }) => {
      await open(page, path);
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: /skip/i });
      await expect(skip).toBeFocused();
      await expect(skip).toBeInViewport({ ratio: 1 });
      await page.keyboard.press("Enter");
      // Chromium moves the focus with the next frame; the next key could arrive before it.
      await expect(page.getByRole("main")).toBeFocused();
      await page.keyboard.press("Tab");
      const inMain = () =>
        page.evaluate(() => document.activeElement?.closest("main, [role=main]") !== null);
      await expect.poll(inMain).toBe(true);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    });
  }
});
