import type { Page } from "@playwright/test";

/** Windows in px: phones upright and sideways, a tablet and a laptop. */
export const WINDOWS = [
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
