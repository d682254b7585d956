// PAGE-18, PAGE-26, DECISION-38: when the app and the files of the browser's window are loaded.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { advanceClock, pauseClock } from "./page/contact-form.ts";
import { hold, waitForHydration, waitForPaint, waitUntilIdle } from "./page/loading.ts";

/** The requests for scripts so far, and the links to the files of the browser's window. */
function recordLoading(page: Page): () => Promise<{ scripts: number; links: number }> {
  let scripts = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts += 1;
  });
  return async () => {
    await waitUntilIdle(page);
    const links = await page
      .locator("link:is([rel=manifest], [rel=apple-touch-icon], [href='/favicon.ico'])")
      .count();
    return { scripts, links };
  };
}

const NOTHING = { scripts: 0, links: 0 };
/** Scripts: React and the app. */
const EVERYTHING = { scripts: 2, links: 3 };

test("the libraries and the app are requested at once", async ({ page }) => {
  const loading = recordLoading(page);
  const loadScripts = await hold(page);
  await page.goto("/");
  await expect.poll(async () => (await loading()).scripts).toBe(EVERYTHING.scripts);
  loadScripts();
  await waitForHydration(page);
  expect(await loading()).toEqual(EVERYTHING);
});

for (const [action, act] of [
  ["presses a pointer", (page: Page) => page.getByRole("heading").first().click()],
  ["focuses a control", (page: Page) => page.keyboard.press("Tab")],
  ["submits the form", (page: Page) => page.locator("form").dispatchEvent("submit")],
] as const) {
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

for (const arrives of [true, false]) {
  test(`the app is loaded ${arrives ? "after the picture" : "5 s later without the picture"}`, async ({
    page,
  }) => {
    await pauseClock(page);
    const loading = recordLoading(page);
    const loadPictures = await hold(page, { files: "**/hero*" });
    await page.goto("/", { waitUntil: "domcontentloaded" });
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }),
        ),
    );
    await advanceClock(page, 4_999);
    expect(await loading()).toEqual(NOTHING);
    if (arrives) loadPictures();
    else await advanceClock(page, 1);
    await waitForHydration(page);
    expect(await loading()).toEqual(EVERYTHING);
  });
}
