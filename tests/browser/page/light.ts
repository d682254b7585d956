import type { Locator, Page } from "@playwright/test";
import { boxOf } from "./layout.ts";

/**
 * The light on the screen, from 0 to 1, at shares of the width and the height of a part. Chromium applies forced dark colours
 * only when it paints.
 */
export async function light(page: Page, part: Locator, x: number, y: number): Promise<number> {
  const { left, top, width, height } = await boxOf(part);
  const clip = { x: left + x * width, y: top + y * height, width: 1, height: 1 };
  const png = await page.screenshot({ clip });
  return page.evaluate(
    async (bytes) => {
      const canvas = new OffscreenCanvas(1, 1).getContext("2d");
      canvas?.drawImage(await createImageBitmap(new Blob([new Uint8Array(bytes)])), 0, 0);
      const [red = 0, green = 0, blue = 0] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
      return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    },
    [...png],
  );
}

/** Makes the browser turn light colours into dark ones, as Samsung Internet does with a page in the light scheme. */
export async function forceDarkColors(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setAutoDarkModeOverride", { enabled: true });
}
