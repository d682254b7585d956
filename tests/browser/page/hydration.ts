import type { Page, Response, Route } from "@playwright/test";
import { STEP_TIMEOUT_MS } from "../site/timeouts.ts";

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
 * Waits until React has hydrated the page and run its effects. Only the private state of the root
 * shows this. The private properties of single elements do not: React sets them while it renders in
 * time slices, before it commits the page.
 */
export async function waitForHydration(page: Page): Promise<void> {
  // Without `waitForFunction`, which first runs a large script of Playwright in each document.
  await page.evaluate(async (timeout) => {
    const isHydrated = () => {
      const root = document.getElementById("root");
      const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
      const fiber = root?.[key as keyof typeof root] as RootFiber | null | undefined;
      return fiber?.stateNode.current.memoizedState.isDehydrated === false;
    };
    const delay = 5;
    // Counted, because a test can pause the page's clock.
    for (let waited = 0; !isHydrated(); waited += delay) {
      if (waited > timeout) throw new Error("React has not hydrated the page");
      await scheduler.postTask(() => {}, { delay });
    }
    // As `waitUntilIdle` does, but in the same call.
    await scheduler.postTask(() => {}, { priority: "background" });
  }, STEP_TIMEOUT_MS);
}

/** Delays the requests for scripts until the returned function is called. Then `end` ends them. */
export async function holdScripts(
  page: Page,
  end = (route: Route) => route.continue(),
): Promise<() => void> {
  return hold(page, "**/*.js", end);
}

/** Delays the requests for pictures until the returned function is called. */
export async function holdPictures(page: Page): Promise<() => void> {
  return hold(page, "**/*.svg", (route) => route.continue());
}

async function hold(
  page: Page,
  files: string,
  end: (route: Route) => Promise<void>,
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
