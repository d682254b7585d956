// PAGE-18, PAGE-26, DECISION-38: when the app and the files of the browser's window are loaded.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { advanceClock, pauseClock } from "./page/contact-form.ts";
import { hold, waitForHydration, waitForPaint, waitUntilIdle } from "./page/loading.ts";

/** The requests for scripts so far, and the links to the files of the browser's window. */
async function loading(page: Page): Promise<{ scripts: number; links: number }> {
  await waitUntilIdle(page);
  const requests = await page.requests();
  const links = "link:is([rel=manifest], [rel=apple-touch-icon], [href='/favicon.ico'])";
  return {
    scripts: requests.filter((request) => request.resourceType() === "script").length,
    links: await page.locator(links).count(),
  };
}

const NOTHING = { scripts: 0, links: 0 };
/** Scripts: React and the app. */
const EVERYTHING = { scripts: 2, links: 3 };

test("the libraries and the app are requested at once", async ({ page }) => {
  const loadScripts = await hold(page);
  await page.goto("/");
  await expect.poll(async () => (await loading(page)).scripts).toBe(EVERYTHING.scripts);
  loadScripts();
  await waitForHydration(page);
  expect(await loading(page)).toEqual(EVERYTHING);
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
    await page.goto("/contact");
    await waitForPaint(page);
    expect(await loading(page)).toEqual(NOTHING);
    await act(page);
    await waitForHydration(page);
    expect(await loading(page)).toEqual(EVERYTHING);
  });
}

for (const arrives of [true, false]) {
  test(`the app is loaded ${arrives ? "after the picture" : "5 s later without the picture"}`, async ({
    page,
  }) => {
    await pauseClock(page);
    const loadPictures = await hold(page, { files: "**/hero*" });
    await page.goto("/", { waitUntil: "domcontentloaded" });
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }),
        ),
    );
    await advanceClock(page, 4_999);
    expect(await loading(page)).toEqual(NOTHING);
    if (arrives) loadPictures();
    else await advanceClock(page, 1);
    await waitForHydration(page);
    expect(await loading(page)).toEqual(EVERYTHING);
  });
}
