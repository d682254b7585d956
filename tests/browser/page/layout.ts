import type { Locator, Page } from "@playwright/test";

/** Windows in px: a laptop at 400 and 200 %, phones upright and sideways, a tablet and a laptop. */
export const WINDOWS = [
  [320, 180],
  [640, 360],
  [320, 640],
  [390, 664],
  [844, 390],
  [768, 1024],
  [1280, 720],
] as const;

/** Sets the browser's default font size in px, which is 16 at first. `rem` in media queries follows it. */
export async function setFontSize(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard } });
  await page.waitForFunction(
    (size) => matchMedia(`(width: ${innerWidth / size}rem)`).matches,
    standard,
  );
  await session.detach();
}

/**
 * Widths of a window in px: phones, tablets and screens, and both sides of each width in a media query. At a height of
 * 800 px, a window of 801 px is no longer upright.
 */
export const WIDTHS = [
  320, 390, 479, 480, 559, 560, 639, 640, 768, 801, 959, 960, 1023, 1024, 1119, 1120, 1279, 1280,
  1440, 1920, 2560,
] as const;

/** The box of an element in the window, in px. */
export const boxOf = (element: Locator): Promise<DOMRect> =>
  element.first().evaluate((element) => element.getBoundingClientRect().toJSON());

export const boxesOf = (elements: Locator): Promise<DOMRect[]> =>
  elements.evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON()));

/** Texts and controls that extend beyond the left or right margin, with their position. */
export async function overflowing(page: Page, { margin = 0 } = {}): Promise<string[]> {
  return page.evaluate((inset) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`page ${scrollWidth}`] : [];
    const range = document.createRange();
    for (const element of document.querySelectorAll("body *")) {
      const isControl = element.matches("input, textarea, button");
      const isText = [...element.childNodes].some(
        (node) => node instanceof Text && node.data.trim(),
      );
      if (!(isControl || isText) || element.closest("[aria-hidden=true], svg")) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      // Only the text counts: the padding of a touch target can be wider.
      range.selectNodeContents(element);
      const { left, right, width } = (isControl ? element : range).getBoundingClientRect();
      const isInside = left >= inset - 0.5 && right <= clientWidth - inset + 0.5;
      if (width > 1 && !isInside) found.push(`${element.outerHTML.slice(0, 60)} ${left}–${right}`);
    }
    return found;
  }, margin);
}

/** Texts that extend beyond the box of their element, or share space with another text or an image. */
export async function collidingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const lines: { text: string; box: DOMRect }[] = [];
    const range = document.createRange();
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest("[aria-hidden=true], svg, .visually-hidden")) continue;
      const isInline = getComputedStyle(element).display === "inline";
      const outer = element.getBoundingClientRect();
      if (element.matches("img")) lines.push({ text: element.outerHTML, box: outer });
      for (const node of element.childNodes) {
        const text = node.textContent?.trim().slice(0, 40);
        if (node.nodeType !== Node.TEXT_NODE || !text) continue;
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
          const isInside = box.top >= outer.top - 1 && box.bottom <= outer.bottom + 1;
          if (!isInline && !isInside) found.push(`${text} beyond its box`);
          lines.push({ text, box });
        }
      }
    }
    for (const [index, { text, box }] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (width > 1 && height > 1) found.push(`${text} over ${other.text}`);
      }
    }
    return found;
  });
}

/** Whether a focused control is in the window and not covered, and has a ring that no outer box cuts off. */
export function isShownWithRing(control: Element): boolean {
  const { left, top, right, bottom } = control.getBoundingClientRect();
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control);
  const [width, offset] = [outlineWidth, outlineOffset].map(Number.parseFloat) as [number, number];
  let isComplete = outlineStyle !== "none" && width >= 2;
  for (let outer = control.parentElement; outer; outer = outer.parentElement) {
    const { overflow, contain } = getComputedStyle(outer);
    if (overflow === "visible" && contain !== "paint") continue;
    const edge = outer.getBoundingClientRect();
    const ring = width + offset;
    isComplete &&= left - ring >= edge.left && right + ring <= edge.right;
    isComplete &&= top - ring >= edge.top && bottom + ring <= edge.bottom;
  }
  const x = Math.min(Math.max((left + right) / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max((top + bottom) / 2, 0), innerHeight - 1);
  const topmost = document.elementFromPoint(x, y);
  return isComplete && (control.contains(topmost) || topmost?.contains(control) === true);
}

/**
 * Texts with more than two lines, with fewer than six letters each, bars with more than two lines, and headings with a
 * word in two lines.
 */
export function tooNarrow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const range = document.createRange();
    const columns = [...document.querySelectorAll("p, span, a, button")].filter((element) => {
      const text = [...element.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE);
      if (!text || !element.checkVisibility({ visibilityProperty: true })) return false;
      range.selectNodeContents(text);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      return lines > 2 && range.toString().length / lines < 5.5;
    });
    const bars = [...document.querySelectorAll("summary")].filter(
      (bar) => bar.offsetHeight > 3.5 * Number.parseFloat(getComputedStyle(bar).fontSize),
    );
    const headings = [...document.querySelectorAll("h1, h2, h3")].filter(({ firstChild: text }) => {
      if (!(text instanceof Text)) return false;
      return [...text.data.matchAll(/\S+/g)].some(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
      });
    });
    return [...columns, ...bars, ...headings].map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
}
