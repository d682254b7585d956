// PAGE-18: hydration.

import { expect, testOnNewPage as test } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { holdScripts, open, waitForHydration } from "./page/hydration.ts";
import { visibleText } from "./page/text.ts";
import { PAGES } from "./site/specification.ts";

for (const path of PAGES) {
  test(`React hydrates the prerendered ${path} and replaces no element`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(UNKNOWN_PATH_ERROR);
    // After a mismatch, React replaces elements, and the new ones have no mark.
    await page.addInitScript(() => {
      const marked = new WeakSet<Element>();
      // At this time, the parser has finished and no module script has run.
      document.addEventListener("readystatechange", () => {
        if (document.readyState !== "interactive") return;
        for (const element of document.querySelectorAll("body *")) marked.add(element);
      });
      Object.assign(window, { prerendered: (element: Element) => marked.has(element) });
    });
    await open(page, path);
    const replaced = await page.evaluate(() => {
      const { prerendered } = window as unknown as { prerendered(element: Element): boolean };
      return [...document.querySelectorAll("main *, header *, footer *")]
        .filter((element) => !prerendered(element))
        .map((element) => element.outerHTML.slice(0, 80));
    });
    expect(replaced).toEqual([]);
  });

  test(`the text of ${path} is the same before and after hydration`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(UNKNOWN_PATH_ERROR);
    const loadScripts = await holdScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForFunction(() => document.readyState !== "loading");
    const before = await visibleText(page);
    loadScripts();
    await waitForHydration(page);
    expect(await visibleText(page)).toBe(before);
  });
}
