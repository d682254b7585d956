// PAGE-29: the keyboard.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";
import { PAGES } from "./site/specification.ts";

/** The links at headings repeat those of the contents, and are no Tab stops. */
const CONTROLS = "a[href]:not(.anchor), button, input, textarea, summary";

/** Position in the document among the controls, focus ring and visibility of the focused element. */
async function focusedElement(page: Page) {
  return page.evaluate((controls) => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const box = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
    const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1);
    const topmost = document.elementFromPoint(x, y);
    const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    // A box that scrolls or clips its content cuts off the rings at its edges.
    let isRingComplete = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      const { overflow, contain } = getComputedStyle(outer);
      if (overflow === "visible" && contain !== "paint") continue;
      const edge = outer.getBoundingClientRect();
      const { left, right, top, bottom } = box;
      isRingComplete &&= left - ring >= edge.left && right + ring <= edge.right;
      isRingComplete &&= top - ring >= edge.top && bottom + ring <= edge.bottom;
    }
    const visible = [...document.querySelectorAll(controls)].filter((control) =>
      control.checkVisibility({ visibilityProperty: true }),
    );
    return {
      position: visible.indexOf(element),
      isRingComplete,
      isVisible: topmost !== null && (element.contains(topmost) || topmost.contains(element)),
    };
  }, CONTROLS);
}

/**
 * Successive controls of the document of which the second one is to the left of the first one on the
 * same line, or above it without being in a column to its right.
 */
async function outOfVisualOrder(page: Page): Promise<string[]> {
  return page.locator(CONTROLS).evaluateAll((all) => {
    const visible = all.filter((element) => element.checkVisibility({ visibilityProperty: true }));
    return visible.slice(1).flatMap((element, index) => {
      const previous = visible[index] as Element;
      const [first, second] = [previous.getBoundingClientRect(), element.getBoundingClientRect()];
      const isBelow = second.top >= first.bottom - 1;
      const isToTheRight = second.left >= first.right - 1;
      return isBelow || isToTheRight ? [] : [`${previous.outerHTML} before ${element.outerHTML}`];
    });
  });
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`at ${viewport.width} px, the Tab stops are in order, with a ring`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const path of PAGES) {
      await open(page, path);
      const focusable = await page.locator(CONTROLS).locator("visible=true").count();
      expect.soft(await outOfVisualOrder(page), path).toEqual([]);
      const stops = [];
      for (let stop = 0; stop < focusable; stop += 1) {
        await page.keyboard.press("Tab");
        stops.push(await focusedElement(page));
      }
      const isGood = { isRingComplete: true, isVisible: true };
      expect.soft(stops, path).toEqual(stops.map((_, position) => ({ position, ...isGood })));
      // After the last stop, the focus leaves the page or, in a browser without toolbars, returns
      // to the first stop.
      await page.keyboard.press("Tab");
      const next = await focusedElement(page);
      expect.soft([null, stops[0]], `after the last stop of ${path}`).toContainEqual(next);
    }
  });
}
