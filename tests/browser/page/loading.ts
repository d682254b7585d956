import type { Page, Response, Route } from "@playwright/test";

/** Loads a page and waits until React has hydrated it. */
export async function open(page: Page, path: string): Promise<Response> {
  const response = await page.goto(path);
  if (response === null) throw new Error(`${path} did not load a new document`);
  await waitForHydration(page);
  return response;
}

/** Whether React has taken over the page and run its effects. */
export function isHydrated(): boolean {
  return document.querySelector("#root[data-ready]") !== null;
}

export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(isHydrated);
  await waitUntilIdle(page);
}

/** Delays the requests for scripts, or other files, until the returned function is called. Then `end` ends them. */
export async function hold(
  page: Page,
  { files = "**/*.js", end = (route: Route) => route.continue() } = {},
): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(files, async (route) => {
    await released;
    await end(route);
  });
  return release;
}

/**
 * Waits until the page's main thread has run the tasks that were queued before the call. React
 * renders and runs effects in a chain of tasks, and a task of background priority runs after all of
 * them. A paused clock does not delay this task.
 */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: "background" }));
}

/** Waits for a rendered frame and for tasks that the frame starts, such as lazy loading. */
export async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await waitUntilIdle(page);
}

/** Waits until fonts are loaded and animations have finished: then positions are final. */
export async function waitForAnimations(page: Page): Promise<void> {
  await waitUntilIdle(page);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const running = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState !== "finished")
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // The end of an animation may start the next.
    while (running().length > 0) {
      await Promise.allSettled(running().map(({ finished }) => finished));
      await scheduler.postTask(() => {}, { priority: "background" });
    }
  });
}
