import type { Page } from "@playwright/test";

/** Texts and controls that extend beyond the left or right margin, with their position. */
export async function overflowing(page: Page, margin = 0): Promise<string[]> {
  return page.evaluate((inset) => {
    const root = document.documentElement;
    const found: string[] = [];
    if (root.scrollWidth > root.clientWidth) found.push(`page ${root.scrollWidth}`);
    const range = document.createRange();
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      const isControl = element.matches("input, textarea, button");
      const text = [...element.childNodes].find(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!(isControl || text)) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest("[aria-hidden=true], svg")) continue;
      // Only the text counts: the padding of a touch target can be wider.
      range.selectNodeContents(element);
      const { left, right, width, height } = (isControl ? element : range).getBoundingClientRect();
      if (width <= 1 || height <= 1) continue;
      if (left < inset - 0.5 || right > root.clientWidth - inset + 0.5)
        found.push(`${element.outerHTML.slice(0, 60)} ${left}–${right}`);
    }
    return found;
  }, margin);
}

/** Texts that extend beyond the box of their element, or lie over another text. */
export async function collidingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const lines: { text: string; layer: Element | null; box: DOMRect }[] = [];
    const range = document.createRange();
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest("[aria-hidden=true], svg, .visually-hidden")) continue;
      const isInline = getComputedStyle(element).display === "inline";
      const outer = element.getBoundingClientRect();
      for (const node of element.childNodes) {
        const text = node.textContent?.trim().slice(0, 40);
        if (node.nodeType !== Node.TEXT_NODE || !text) continue;
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
          const isInside = box.top >= outer.top - 1 && box.bottom <= outer.bottom + 1;
          if (!isInline && !isInside) found.push(`${text} beyond its box`);
          lines.push({ text, layer: element.closest(".toast"), box });
        }
      }
    }
    for (const [index, { text, layer, box }] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        // The toast lies over the page.
        if (layer === other.layer && width > 1 && height > 1)
          found.push(`${text} over ${other.text}`);
      }
    }
    return found;
  });
}

/**
 * Makes the page transparent, so that it is not painted again for each new layout. Hidden, it would
 * lose the focus.
 */
export async function makeTransparent(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.opacity = "0";
  });
}
