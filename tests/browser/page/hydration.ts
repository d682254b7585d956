import type { Page, Response } from "@playwright/test";

/**
 * Loads a page and waits until React has taken it over. React shows that in no other way than by
 * the private properties that it leaves on the elements it owns.
 */
export async function open(page: Page, path: string): Promise<Response> {
  const response = await page.goto(path);
  if (response === null) throw new Error(`${path} did not load a new document`);
  await hydrated(page);
  return response;
}

/** Waits until React owns the page's main heading. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector("h1");
    return heading !== null && Object.keys(heading).some((key) => key.startsWith("__react"));
  });
}
