import type { Page } from "@playwright/test";

/**
 * Gives a link or a button that is pressed the focus as WebKit on Apple's systems does: not to itself, but to its nearest
 * ancestor that a pointer can focus, or to nothing. Call before loading.
 */
export async function focusAsWebKit(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener(
      "mousedown",
      (event) => {
        const pressed = (event.target as Element).closest("a, button");
        if (!pressed) return;
        event.preventDefault();
        const focusable = pressed.parentElement?.closest<HTMLElement>("[tabindex], summary");
        if (focusable) focusable.focus();
        else (document.activeElement as HTMLElement | null)?.blur();
      },
      { capture: true },
    );
  });
}
