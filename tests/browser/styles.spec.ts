// PAGE-33, PAGE-37: unused styles, and styles for older browsers.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { STATES } from "./page/states.ts";
import { styleUsage } from "./page/style-rules.ts";
import { startSite } from "./site/executable.ts";
import { PAGES } from "./site/specification.ts";

/** The pages with JavaScript disabled. Some style rules apply only to them. */
const UNSCRIPTED = PAGES.map((path) => ({
  reach: async (page: Page) => void (await page.goto(path)),
}));

test("every style rule, custom property and animation is used by at least one page", async ({
  page: scripted,
  browser,
  baseURL,
  browserErrors,
}) => {
  browserErrors.expect(UNKNOWN_PATH_ERROR);
  const selectors = new Set<string>();
  const matched = new Set<string>();
  const named = new Set<string>();
  const texts = new Set<string>();
  const unscripted = await browser.newPage({ baseURL: baseURL ?? "", javaScriptEnabled: false });
  const withStores = await startSite(["--app-store-url", "https://apps.apple.com/app/id1"]);
  for (const { page, states } of [
    { page: scripted, states: STATES },
    { page: unscripted, states: UNSCRIPTED },
    { page: unscripted, states: [{ reach: (page: Page) => page.goto(withStores.url) }] },
  ]) {
    for (const state of states) {
      await state.reach(page);
      const use = await styleUsage(page);
      for (const selector of use.selectors) selectors.add(selector);
      for (const selector of use.matched) matched.add(selector);
      for (const property of use.properties) named.add(`var(${property}`);
      for (const animation of use.animations) named.add(animation);
      texts.add(use.text.replaceAll(/@keyframes [\w-]+/g, ""));
    }
  }
  await unscripted.close();
  await withStores.stop();
  expect(selectors.size).toBeGreaterThan(20);
  expect([...selectors].filter((selector) => !matched.has(selector))).toEqual([]);
  const text = [...texts].join("\n");
  expect(
    [...named].filter(
      (name) =>
        !text
          .split(name)
          .slice(1)
          .some((rest) => /^[^\w-]/.test(rest)),
    ),
  ).toEqual([]);
});

/** Syntax that the oldest browsers of `browserslist` in ui/package.json do not know. */
const TOO_NEW = [
  { syntax: "transforms as single properties", pattern: /[{;](?:translate|rotate|scale):/ },
  { syntax: "svh without @supports", pattern: /\d[sdl]vh/ },
  { syntax: "overflow: clip", pattern: /overflow(?:-[xy])?:[a-z ]*clip/ },
  { syntax: ":has beside other selectors", pattern: /,[^{}()]*:has\(|:has\([^{]*\)[^{}]*,/ },
];

for (const { syntax, pattern } of TOO_NEW) {
  test(`the style sheet is free of syntax that older browsers ignore: ${syntax}`, async ({
    page,
  }) => {
    await page.goto("/");
    const sheets = await page
      .locator("style")
      .evaluateAll((all) => all.map((style) => style.textContent));
    const guarded = /@supports[^{]*\{[^{}]*\{[^{}]*\}\}/g;
    expect(sheets.join("").replace(guarded, "").match(pattern)?.[0]).toBeUndefined();
  });
}
