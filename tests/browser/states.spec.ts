// PAGE-3, PAGE-4, PAGE-5, PAGE-7, PAGE-9, PAGE-10, PAGE-11, PAGE-14, PAGE-28, PAGE-29, PAGE-30, PAGE-31, PAGE-32, PAGE-33, PAGE-34: every
// page and every state of the form is reached once, and looked at in each way.

import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, test } from "./fixtures.ts";
import { expectTexts } from "./page/contents.ts";
import {
  boxesOf,
  collidingTexts,
  isShownWithRing,
  overflowing,
  setFontSize,
  tooNarrow,
  WIDTHS,
  WINDOWS,
} from "./page/layout.ts";
import { waitForAnimations } from "./page/loading.ts";
import { STATES } from "./page/states.ts";
import { chromium } from "./site/chromium.ts";

// Scrollbars take space from the page.
test.use({
  launchOptions: {
    executablePath: chromium.path,
    args: chromium.flags,
    ignoreDefaultArgs: ["--hide-scrollbars"],
  },
});

const AXE_OPTIONS = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  // Contrast of text: 7 (SC 1.4.6, level AAA) instead of 4.5.
  rules: { "color-contrast-enhanced": { enabled: true } },
  // Without the details of what passes, a run takes two thirds of the time.
  resultTypes: ["violations" as const],
};

/** The violations that axe reports on a phone and on a desktop, in all colours. */
async function expectNoViolation(page: Page): Promise<void> {
  // axe waits with timers, and the clock of the page is paused.
  await page.evaluate(
    `((setTimeout) => { ${axe.source} })((run, ms) => ms || scheduler.postTask(run))`,
  );
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [width, height, contrast] of [
      [390, 844, "no-preference"],
      [1440, 900, "no-preference"],
      [1440, 900, "more"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, contrast });
      await waitForAnimations(page);
      const found = await page.evaluate(async (options) => {
        const { axe } = window as unknown as { axe: typeof import("axe-core") };
        const { violations } = await axe.run(options);
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
        );
      }, AXE_OPTIONS);
      expect.soft(found, `${colorScheme}, ${width} px, contrast ${contrast}`).toEqual([]);
    }
  }
}

/** At every width, and with the text spacing of WCAG 1.4.12. */
async function expectFit(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await overflowing(page), `${width} px`).toEqual([]);
  }
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important } p { margin-block-end: 2em !important }`);
    document.adoptedStyleSheets = [spacing];
  });
  for (const width of [390, 480, 960, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect.soft(await overflowing(page), `spaced, ${width} px`).toEqual([]);
    expect.soft(await collidingTexts(page), `spaced, ${width} px`).toEqual([]);
  }
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
}

/** The usual size, larger settings of browsers, and the text of a phone at 130, 150 and 200 %. */
async function expectFitOfLargeText(page: Page): Promise<void> {
  for (const standard of [16, 21, 24, 32]) {
    await setFontSize(page, standard);
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      const size = `${standard} px at ${width} px`;
      expect.soft(await overflowing(page), size).toEqual([]);
      expect.soft(await tooNarrow(page), size).toEqual([]);
    }
  }
  await expectTabStops(page, [[320, 180]]);
  await setFontSize(page, 16);
}

/** Tab reaches every control in the order of reading, and shows it with its ring. */
async function expectTabStops(page: Page, windows: readonly [number, number][]): Promise<void> {
  // The links at headings repeat those of the contents.
  const controls = ":is(a[href]:not(.anchor), button, input, textarea, summary):not(:disabled)";
  const stops = page.locator(controls).locator("visible=true");
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      scrollTo({ top: 0, behavior: "instant" });
    });
    const boxes = await boxesOf(stops);
    const misplaced = boxes.filter(({ top, left }, index) => {
      const previous = boxes[index - 1];
      return previous && top < previous.bottom - 1 && left < previous.right - 1;
    });
    expect.soft(misplaced, `${width} px`).toEqual([]);
    await page.keyboard.press("Tab");
    await stops.first().focus();
    for (const stop of await stops.all()) {
      await expect(stop).toBeFocused();
      expect.soft(await stop.evaluate(isShownWithRing), `${stop} at ${width} px`).toBe(true);
      await page.keyboard.press("Tab");
    }
    await expect(stops.last()).not.toBeFocused();
  }
}

/** WCAG 2.5.8 and 2.5.5. Links inside a sentence are exempt. */
async function expectLargeTargets(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  const targets = page.locator("a[href]:not(.anchor), button, input, textarea, summary");
  const small = await targets.locator("visible=true").evaluateAll((all) => {
    const text = (node: Element | null) => (node?.textContent ?? "").trim();
    return all
      .filter((element) => {
        const isInline = getComputedStyle(element).display === "inline";
        const isInSentence = isInline && text(element.closest("p, li, dd")) !== text(element);
        const isMain = element.matches("main :is(.button, input, textarea)");
        const { width, height } = element.getBoundingClientRect();
        return !isInSentence && Math.min(width, height) < (isMain ? 44 : 24);
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 90));
  });
  expect.soft(small).toEqual([]);
}

/** In forced colours, also of the contents of a legal page on a phone. */
async function expectEdges(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 664 });
  await page.emulateMedia({ contrast: "no-preference", forcedColors: "active" });
  for (const summary of await page.locator("summary").all()) await summary.click();
  await waitForAnimations(page);
  const boxes = page.locator("button, input, textarea, article nav, article nav ol");
  const edges = await boxes
    .locator("visible=true")
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).borderBottom));
  for (const edge of edges) expect.soft(edge).toMatch(/^[1-9][.\d]*px solid/);
  await page.keyboard.press("Tab");
  await expect.soft(page.locator(":focus")).toHaveCSS("outline", /solid [1-9][.\d]*px$/);
}

async function expectNoMotion(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" });
  const moving = await page.evaluate(() => {
    const seconds = (list: string) => Math.max(...list.split(",").map(Number.parseFloat));
    const slow = [...document.querySelectorAll("*")].filter((element) => {
      const styles = ["", "::before", "::after"].map((part) => getComputedStyle(element, part));
      const moves = styles.some((style) => {
        const isAnimated = style.animationName !== "none";
        const lasts = isAnimated && seconds(style.animationDuration) > 0.01;
        return lasts || seconds(style.transitionDuration) > 0.01;
      });
      return moves && element.checkVisibility();
    });
    const { scrollBehavior } = getComputedStyle(document.documentElement);
    return [scrollBehavior, ...slow.map(({ outerHTML }) => outerHTML.slice(0, 80))];
  });
  expect.soft(moving).toEqual(["auto"]);
}

async function expectPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print" });
  const parts = "nav, button, input, textarea, .button, .skip-link, .back-link, .anchor, .toast";
  await expect.soft(page.locator(parts).locator("visible=true")).toHaveCount(0);
}

for (const state of STATES) {
  const tag = state.site ? `@${state.site}` : [];
  test(state.name, { tag }, async ({ page, contact, browserErrors }) => {
    if (state.site === "receiver") browserErrors.expect(/to another origin|ERR_FAILED/);
    await state.reach(contact);
    const hasEndless = await page.evaluate(() =>
      document
        .getAnimations()
        .some(({ effect }) => effect?.getComputedTiming().endTime === Infinity),
    );
    // The button turns while the form is sent.
    expect.soft(hasEndless).toBe(state.name === "contact-sending");
    await waitForAnimations(page);
    await test.step("has its texts, headings, links and controls, in order and no others", () =>
      expectTexts(page, state.name));
    await test.step("axe reports no violation", () => expectNoViolation(page));
    await test.step("fits every width", () => expectFit(page));
    await test.step("fits at each text size", () => expectFitOfLargeText(page));
    await test.step("has Tab stops in order, with rings, which nothing covers", () =>
      expectTabStops(page, [
        [390, 844],
        [1000, 800],
        [1440, 900],
      ]));
    await test.step("has targets of 24 px, and main controls of 44 px", () =>
      expectLargeTargets(page));
    await test.step("has a border and a focus ring in forced colours", () => expectEdges(page));
    await test.step("moves nothing if reduced motion is preferred", () => expectNoMotion(page));
    await test.step("prints no control and no toast", () => expectPaper(page));
  });
}
