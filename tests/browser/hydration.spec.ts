// PAGE-18: hydration.

import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_COMPLAINT } from "./page/complaints.ts";
import { holdScripts, hydrated, open } from "./page/hydration.ts";
import { visibleText } from "./page/text.ts";
import { PAGES } from "./site/specification.ts";

for (const path of PAGES) {
  test(`React takes over the prerendered ${path} and replaces none of it`, async ({
    page,
    complaints,
  }) => {
    complaints.expect(UNKNOWN_PATH_COMPLAINT);
    // A mismatch makes React throw elements away and build them anew, without their mark.
    await page.addInitScript(() => {
      const marked = new WeakSet<Element>();
      // The parser is done then, and module scripts have not run yet.
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

  test(`${path} reads the same before and after the script`, async ({ page, complaints }) => {
    complaints.expect(UNKNOWN_PATH_COMPLAINT);
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForFunction(() => document.readyState !== "loading");
    const before = await visibleText(page);
    release();
    await hydrated(page);
    expect(await visibleText(page)).toBe(before);
  });
}
