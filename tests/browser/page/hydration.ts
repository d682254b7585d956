import type { Page, Response, Route } from "@playwright/test";
import { waitUntilIdle } from "./idle.ts";

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
