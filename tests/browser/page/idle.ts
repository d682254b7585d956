import type { Page } from "@playwright/test";

/** Waits until all that a page has reported so far, on its console or otherwise, is received. */
export async function answered(page: Page): Promise<void> {
  // A page that is being left at this moment answers nothing, and reports nothing more.
  await page.evaluate(() => {}).catch(() => {});
}

/**
 * Waits until the page's main thread has finished all the work that it has now, however long that
 * takes: React renders and runs effects in tasks of their own, one after another. A task of the
 * lowest priority runs after them. A stopped clock does not stop it.
 */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: "background" }));
}

/** Waits until the page has shown what is due now, and has begun the work that this leads to. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await idle(page);
}
