import type { Page, Response } from "@playwright/test";
import { idle } from "./idle.ts";

/** The part of React's private state that tells whether a root still is the server's HTML. */
interface RootFiber {
  readonly stateNode: { readonly current: { readonly memoizedState: { isDehydrated: boolean } } };
}

/** Loads a page and waits until React has taken it over. */
export async function open(page: Page, path: string): Promise<Response> {
  const response = await page.goto(path);
  if (response === null) throw new Error(`${path} did not load a new document`);
  await hydrated(page);
  return response;
}

/**
 * Waits until React has hydrated the whole page and run its effects. Only private properties show
 * this. The properties on single elements are no sign: React sets them during rendering, which it
 * does in time slices, before it commits the page.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root = document.getElementById("root");
    const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
    const fiber = root?.[key as keyof typeof root] as RootFiber | null | undefined;
    return fiber?.stateNode.current.memoizedState.isDehydrated === false;
  });
  await idle(page);
}

/** Keeps the scripts of the page from arriving until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route("**/*.js", async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
