import type { Page } from "@playwright/test";

/** A date or year as the pages write them; what it says changes with the day of the reading. */
const DATE = /[A-Z][a-z]+ \d{1,2}, \d{4}|© \d{4}/g;

/** The words of the whole page that can be seen, dates left out, one space between them. */
export async function visibleText(page: Page): Promise<string> {
  const text = await page.locator("body").innerText();
  return text.replace(DATE, "(date)").replace(/\s+/g, " ").trim();
}
