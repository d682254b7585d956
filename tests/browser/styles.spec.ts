// PAGE-37: unused styles.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { STATES } from "./page/states.ts";
import { styleUse } from "./page/style-rules.ts";
import { PAGES } from "./site/specification.ts";

/** The pages as they stand without JavaScript: there are rules for that, too. */
const UNSCRIPTED = PAGES.map((path) => ({
  reach: async (page: Page) => void (await page.goto(path)),
}));

test("no page carries a style rule, property or animation that is used nowhere", async ({
  browser,
  baseURL,
}) => {
  const offered = new Set<string>();
  const matched = new Set<string>();
  const named = new Set<string>();
  const texts = new Set<string>();
  for (const { states, javaScriptEnabled } of [
    { states: STATES, javaScriptEnabled: true },
    { states: UNSCRIPTED, javaScriptEnabled: false },
  ]) {
    for (const state of states) {
      const page = await browser.newPage({ baseURL: baseURL ?? "", javaScriptEnabled });
      await state.reach(page);
      const use = await styleUse(page);
      await page.close();
      for (const selector of use.selectors) offered.add(selector);
      for (const selector of use.matched) matched.add(selector);
      for (const property of use.properties) named.add(`var(${property}`);
      for (const animation of use.animations) named.add(animation);
      texts.add(use.text.replaceAll(/@keyframes [\w-]+/g, ""));
    }
  }
  expect(offered.size).toBeGreaterThan(20);
  expect([...offered].filter((selector) => !matched.has(selector))).toEqual([]);
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
