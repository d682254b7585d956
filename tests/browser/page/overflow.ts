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

/**
 * Makes the page transparent, so that it is not painted again for each new layout. Hidden, it would
 * lose the focus.
 */
export async function makeTransparent(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.opacity = "0";
  });
}
