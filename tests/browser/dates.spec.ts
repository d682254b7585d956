// PAGE-15: dates in the visitor's time zone.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";
import { fixedDate, LEGAL_PAGES } from "./site/specification.ts";

/** Points in time, each with a time zone and the local date. */
const TIMES = [
  ["2032-01-01T00:30:00Z", "America/New_York", "December 31, 2031", "2031-12-31"],
  ["2027-12-31T23:30:00Z", "Asia/Tokyo", "January 1, 2028", "2028-01-01"],
] as const;

for (const [now, zone, words, date] of TIMES) {
  test.describe(() => {
    test.use({ timezoneId: zone });

    test(`at ${now} in ${zone}, pages show ${words} and its year`, async ({ page }) => {
      await page.clock.setFixedTime(new Date(now));
      const time = page.getByRole("main").locator("time");
      const expectDate = async (path: string) => {
        const fixed = fixedDate(path);
        await expect(time).toHaveAttribute("datetime", fixed ?? date);
        if (!fixed) await expect(time).toHaveText(words);
      };
      for (const path of LEGAL_PAGES) {
        await open(page, path);
        await expectDate(path);
      }
      await open(page, "/");
      await expect(page.getByRole("contentinfo")).toContainText(`© ${date.slice(0, 4)}`);
      // Without a reload.
      await page.locator("header a[href='/privacy']").click();
      await expectDate("/privacy");
    });
  });
}

test("a page that is open over midnight shows the new day", async ({ page }) => {
  await page.clock.install({ time: new Date("2031-12-31T23:59:00Z") });
  await page.clock.pauseAt(new Date("2031-12-31T23:59:50Z"));
  await open(page, "/privacy");
  const footer = page.getByRole("contentinfo");
  const expectDate = async (words: string) => {
    if (!fixedDate("/privacy"))
      await expect(page.getByRole("main").locator("time")).toHaveText(words);
  };
  await expectDate("December 31, 2031");
  await expect(footer).toContainText("© 2031");
  await page.clock.runFor(20_000);
  await expectDate("January 1, 2032");
  await expect(footer).toContainText("© 2032");
});
