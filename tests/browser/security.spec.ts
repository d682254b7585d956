// WIRE-22, PAGE-13: policies that the browser enforces.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";

/** Ways in which an injected script could run code or send the typed text, each with the directive that blocks it. */
const ATTEMPTS: Record<string, () => unknown> = {
  "connect-src": () => fetch("/"),
  "form-action": () => document.body.appendChild(document.createElement("form")).submit(),
  "img-src": () => {
    document.createElement("img").src = "https://other.example/x.png";
  },
  "require-trusted-types-for": () => {
    document.body.innerHTML = "<b>injected</b>";
  },
};

test("the browser stops what an injected script would do", async ({ page, browserErrors }) => {
  browserErrors.expect(/.*/);
  await open(page, "/");
  for (const [directive, attempt] of Object.entries(ATTEMPTS)) {
    await page.evaluate(attempt).catch(() => "blocked");
    await expect
      .poll(() => browserErrors.all)
      .toContainEqual(expect.stringContaining(`policy violation: ${directive} `));
  }
});

test("a visit leaves no cookie and no entry in any storage", async ({ page, context, contact }) => {
  await open(page, "/");
  await page.locator("header a[href='/privacy']").click();
  await page.locator(".back-link").click();
  await page.locator("main a[href='/contact']").click();
  await contact.sendAndFinish();
  await page.goBack();
  await page.goForward();

  expect(await context.cookies()).toEqual([]);
  const stored = await page.evaluate(async () => [
    ...document.cookie,
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await indexedDB.databases()),
    ...(await caches.keys()),
    ...(await navigator.serviceWorker.getRegistrations()),
  ]);
  expect(stored).toEqual([]);
});
