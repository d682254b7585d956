import type { Page, Response, Route } from "@playwright/test";
import { waitUntilIdle } from "./idle.ts";

/** The part of React's private state that shows whether a root is hydrated. */
interface RootFiber {
  readonly stateNode: { readonly current: { readonly memoizedState: { isDehydrated: boolean } } };
}

/** Loads a page and waits until React has hydrated it. */
export async function open(page: Page, path: string): Promise<Response> {
  const response = await page.goto(path);
  if (response === null) throw new Error(`${path} did not load a new document`);
  await waitForHydration(page);
  return response;
}

/**
 * Whether React has hydrated the page and run its effects. Only the private state of the root
 * shows this. The private properties of single elements do not: React sets them while it renders in
 * time slices, before it commits the page.
 */
export function isHydrated(): boolean {
  const root = document.getElementById("root");
  const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
  const fiber = root?.[key as keyof typeof root] as RootFiber | null | undefined;
  return fiber?.stateNode.current.memoizedState.isDehydrated === false;
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
