import type { Page } from "@playwright/test";

/**
 * Waits until the page's main thread has no work left that was queued before the call. React
 * renders and runs effects in a chain of tasks; a task of background priority runs after all of
 * them. A stopped clock does not delay it.
 */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: "background" }));
}

/** Waits for a rendered frame and for the work that the frame starts, such as lazy loads. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await idle(page);
}

/** Waits until the events that the page has emitted so far, such as console messages, are here. */
export async function eventsReceived(page: Page): Promise<void> {
  // A page that is navigating at this moment does not answer, and its document emits no more.
  await page.evaluate(() => {}).catch(() => {});
}
