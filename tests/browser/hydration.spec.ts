// PAGE-18, PAGE-26, DECISION-38: hydration, and when the app and the files of the browser's window are loaded.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { advanceClock } from "./page/contact-form.ts";
import { holdPictures, holdScripts, open, waitForHydration } from "./page/hydration.ts";
import { waitForEvents, waitForPaint, waitUntilIdle } from "./page/idle.ts";
import { visibleText } from "./page/text.ts";
import { PAGES } from "./site/specification.ts";

for (const path of PAGES) {
  test(`React hydrates the prerendered ${path} and replaces no element`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(UNKNOWN_PATH_ERROR);
    // After a mismatch, React replaces elements, and the new ones have no mark.
    await page.addInitScript(() => {
      const marked = new WeakSet<Element>();
      // At this time, the parser has finished and no module script has run.
      document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        for (const element of document.querySelectorAll("body *")) marked.add(element);
      });
      Object.assign(window, { prerendered: (element: Element) => marked.has(element) });
    });
    await open(page, path);
    const replaced = await page.evaluate(() => {
      const { prerendered } = window as unknown as { prerendered(element: Element): boolean };
      return [...document.querySelectorAll("main *, header *, footer *")]
        .filter((element) => !prerendered(element))
        .map((element) => element.outerHTML.slice(0, 80));
    });
    expect(replaced).toEqual([]);
  });

  test(`the text of ${path} is the same before and after hydration`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(UNKNOWN_PATH_ERROR);
    const loadScripts = await holdScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForFunction(() => document.readyState !== "loading");
    const before = await visibleText(page);
    loadScripts();
    await waitForHydration(page);
    expect(await visibleText(page)).toBe(before);
  });
}

/** The requests for scripts since the last navigation, and the links to the files of the browser's window. */
function recordLoading(page: Page): () => Promise<{ scripts: number; links: number }> {
  let scripts = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts += 1;
  });
  // The previous test's document may still load its scripts.
  page.on("framenavigated", () => {
    scripts = 0;
  });
  return async () => {
    await waitUntilIdle(page);
    await waitForEvents(page);
    const links = await page
      .locator("link:is([rel=manifest], [rel=apple-touch-icon], [href='/favicon.ico'])")
      .count();
    return { scripts, links };
  };
}

const NOTHING = { scripts: 0, links: 0 };
/** Scripts: React and the app. */
const EVERYTHING = { scripts: 2, links: 3 };

test("the app is not loaded before the picture, even if the text was painted", async ({ page }) => {
  const loading = recordLoading(page);
  const loadPictures = await holdPictures(page);
  await page.goto("/", { waitUntil: "domcontentloaded" });
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }),
      ),
  );
  await waitForPaint(page);
  expect(await loading()).toEqual(NOTHING);
  loadPictures();
  await waitForHydration(page);
  expect(await loading()).toEqual(EVERYTHING);
});

test("the libraries and the app are requested at once", async ({ page }) => {
  const loading = recordLoading(page);
  const loadScripts = await holdScripts(page);
  await page.goto("/");
  await expect.poll(async () => (await loading()).scripts).toBe(EVERYTHING.scripts);
  loadScripts();
  await waitForHydration(page);
  expect(await loading()).toEqual(EVERYTHING);
});

for (const { action, act } of [
  { action: "presses a pointer", act: (page: Page) => page.getByRole("heading").first().click() },
  { action: "focuses a control", act: (page: Page) => page.keyboard.press("Tab") },
  {
    action: "submits the form",
    act: async (page: Page) => {
      const form = page.locator("form");
      await form.evaluate((it: HTMLFormElement) => {
        it.noValidate = true;
        it.requestSubmit();
      });
    },
  },
]) {
  test(`with Save-Data, nothing is loaded before the visitor ${action}`, async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(Object.getPrototypeOf(navigator), "connection", {
        value: { saveData: true },
      }),
    );
    const loading = recordLoading(page);
    await page.goto("/contact");
    await waitForPaint(page);
    expect(await loading()).toEqual(NOTHING);
    await act(page);
    await waitForHydration(page);
    expect(await loading()).toEqual(EVERYTHING);
  });
}

test.describe(() => {
  test.use({ pausedClock: true });

  test("the app is loaded 1 s after the page if no paint is reported", async ({ page }) => {
    await page.addInitScript(() => {
      window.PerformanceObserver = class {
        observe() {}
      } as unknown as typeof PerformanceObserver;
    });
    const loading = recordLoading(page);
    await page.goto("/");
    await advanceClock(page, 999);
    expect(await loading()).toEqual(NOTHING);
    await advanceClock(page, 1);
    await waitForHydration(page);
    expect(await loading()).toEqual(EVERYTHING);
  });
});
