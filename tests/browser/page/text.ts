import type { Page } from "@playwright/test";

/** A date or a year in the form of the pages. Its value depends on the day of the visit. */
const DATE = /[A-Z][a-z]+ \d{1,2}, \d{4}|© \d{4}/g;

/** The visible text of the page, with normalized spaces and without the values of dates. */
export async function visibleText(page: Page): Promise<string> {
  const text = await page.locator("body").innerText();
  return text.replace(DATE, "(date)").replace(/\s+/g, " ").trim();
}
