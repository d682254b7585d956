// PAGE-28, PAGE-29, PAGE-30, PAGE-31: axe, keyboard and pointer targets.

import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, test } from "./fixtures.ts";
import { open } from "./page/hydration.ts";
import { STATES, waitForAnimations } from "./page/states.ts";
import { PAGES } from "./site/specification.ts";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

/** Contrast of text: 7 (SC 1.4.6, level AAA) instead of 4.5. */
const RULES = { "color-contrast-enhanced": { enabled: true } };

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The violations that axe, once loaded, reports. */
async function axeViolations(page: Page): Promise<string[]> {
  await waitForAnimations(page);
  const options = { runOnly: STANDARDS, rules: RULES };
  return page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    // Without the details of what passes, a run takes two thirds of the time.
    const { violations } = await axe.run({ ...given, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
    );
  }, options);
}

for (const state of STATES) {
  test(`axe reports no violation on ${state.name}`, async ({ page }) => {
    await state.reach(page);
    await page.evaluate(axe.source);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [viewport, contrast] of [
        [PHONE, "no-preference"],
        [DESKTOP, "no-preference"],
        [DESKTOP, "more"],
      ] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, contrast });
        const setting = `${colorScheme}, ${viewport.width} px, contrast ${contrast}`;
        expect.soft(await axeViolations(page), setting).toEqual([]);
      }
    }
  });
}

/** The links at headings repeat those of the contents, and are no Tab stops. */
const CONTROLS = "a[href]:not(.anchor), button, input, textarea, summary";

/** Name, position in the document among the controls, focus ring and visibility of the focused element. */
async function focusedElement(page: Page) {
  return page.evaluate((controls) => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1);
    const topmost = document.elementFromPoint(x, y);
    const hasRing = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
    const ring = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
    // A box that scrolls or clips its content cuts off the rings at its edges.
    let isRingComplete = true;
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
      name: `${element.tagName} ${(element.textContent || element.getAttribute("name") || "").trim()}`,
      hasRing,
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

for (const viewport of [PHONE, DESKTOP]) {
  test(`at ${viewport.width} px, the Tab stops are in order and visible, with a ring, and none is a trap`, async ({
    page,
  }) => {
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
      const isGood = { hasRing: true, isRingComplete: true, isVisible: true };
      const expected = stops.map((stop, position) => ({ position, name: stop?.name, ...isGood }));
      expect.soft(stops, path).toEqual(expected);
      // After the last stop, the focus leaves the page or, in a browser without toolbars, returns
      // to the first stop.
      await page.keyboard.press("Tab");
      const next = await focusedElement(page);
      expect.soft([null, stops[0]], `after the last stop of ${path}`).toContainEqual(next);
    }
  });
}

test.describe("touch targets", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

  for (const state of STATES) {
    test(`on ${state.name} are at least 24 px wide and high, main controls 44 px`, async ({
      page,
    }) => {
      await state.reach(page);
      await waitForAnimations(page);
      const targets = page.locator(CONTROLS).locator("visible=true");
      // WCAG 2.5.8 and 2.5.5. Links inside a sentence are exempt.
      const small = await targets.evaluateAll((all) =>
        all.flatMap((element) => {
          const text = (node: Element | null) => (node?.textContent ?? "").trim();
          const isInSentence =
            getComputedStyle(element).display === "inline" &&
            text(element.closest("p, li, dd")) !== text(element);
          const minimum = element.matches("main :is(.button, input, textarea)") ? 44 : 24;
          const { width, height } = element.getBoundingClientRect();
          const isLarge = Math.min(width, height) >= minimum;
          const name = `${element.outerHTML.slice(0, 90)} ${width}×${height}`;
          return isLarge || isInSentence ? [] : [name];
        }),
      );
      expect(small).toEqual([]);
    });
  }
});
