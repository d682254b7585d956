import type { Page } from "@playwright/test";

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

/** Waits until all events that the page has emitted, such as console messages, are received. */
export async function waitForEvents(page: Page): Promise<void> {
  // During a navigation, the call fails, and the old document emits no more events.
  await page.evaluate(() => {}).catch(() => {});
}
