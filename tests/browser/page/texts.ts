import type { Page } from "@playwright/test";
import { expect } from "../fixtures.ts";

/** Expects the texts, headings, links and controls of ../texts/NAME.aria.yml in a part of the page, in their order and no others. */
export async function expectTexts(page: Page, name: string, part = "body"): Promise<void> {
  // The day of the build or of the visit would get into the file.
  await page.locator("time").evaluateAll((all) => {
    for (const time of all) time.textContent = "today";
  });
  await expect(page.locator(part)).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
}
