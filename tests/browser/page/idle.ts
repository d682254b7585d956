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
