// PAGE-15: dates in the visitor's time zone.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";
import { fixedDate, LEGAL_PAGES } from "./site/specification.ts";

// In UTC, it is another day before or after these midnights.
for (const [midnight, timezoneId] of [
  ["2032-01-01T05:00:00Z", "America/New_York"],
  ["2031-12-31T15:00:00Z", "Asia/Tokyo"],
] as const) {
  test.describe(() => {
    test.use({ timezoneId });

    test(`in ${timezoneId}, pages show the visitor's day, and the next at midnight`, async ({
      page,
    }) => {
      const expectDate = async (path: string, date: string, words: string) => {
        const time = page.getByRole("main").locator("time");
        await expect(time).toHaveAttribute("datetime", fixedDate(path) ?? date);
        if (!fixedDate(path)) await expect(time).toHaveText(words);
        await expect(page.getByRole("contentinfo")).toContainText(`© ${date.slice(0, 4)}`);
      };
      await page.clock.install({ time: Date.parse(midnight) - 60_000 });
      await page.clock.pauseAt(Date.parse(midnight) - 10_000);
      for (const path of LEGAL_PAGES) {
        await open(page, path);
        await expectDate(path, "2031-12-31", "December 31, 2031");
      }
      await page.clock.runFor(20_000);
      await expectDate("/terms", "2032-01-01", "January 1, 2032");
      await page.locator("header a[href='/privacy']").click();
      await expectDate("/privacy", "2032-01-01", "January 1, 2032");
    });
  });
}
