// PAGE-33: styles for older browsers.

import { expect, test } from "./fixtures.ts";

/** Syntax that the oldest browsers of `browserslist` in ui/package.json do not know. */
const TOO_NEW = [
  { syntax: "transforms as single properties", pattern: /[{;](?:translate|rotate|scale):/ },
  { syntax: "overflow: clip", pattern: /overflow(?:-[xy])?:[a-z ]*clip/ },
  { syntax: ":has beside other selectors", pattern: /,[^{}()]*:has\(|:has\([^{]*\)[^{}]*,/ },
];

test("the style sheet is free of syntax that older browsers ignore", async ({ page }) => {
  await page.goto("/");
  const sheets = await page
    .locator("style")
    .evaluateAll((all) => all.map((style) => style.textContent));
  const css = sheets.join("");
  for (const { syntax, pattern } of TOO_NEW)
    expect.soft(css.match(pattern)?.[0], syntax).toBeUndefined();
});
