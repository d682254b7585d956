// PAGE-12, PAGE-31, PAGE-32, PAGE-33: the drawn egg. An owner with another drawing deletes this file.

import { expect, test } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { boxOf } from "./page/layout.ts";
import { forceDarkColors, light } from "./page/light.ts";
import { open, waitForAnimations } from "./page/loading.ts";
import { UNKNOWN_PATH } from "./site/specification.ts";

test("a yolk falls once", async ({ page }) => {
  for (const path of [UNKNOWN_PATH, "/contact"]) {
    await open(page, path);
    await expect(page.locator(".yolk")).toHaveCSS(
      "animation",
      /^0\.5s cubic-bezier\([^)]*\) enter$/,
    );
  }
});

test("the yolk on the contact page runs, except after sending", async ({ page, contact }) => {
  await contact.open();
  const run = page.locator(".yolk-run");
  await expect(run).toHaveCSS("opacity", "1");
  await expect(run).toHaveCSS("animation", /^0\.4s .* enter$/);
  await contact.sendAndFinish();
  await advanceClock(page, 20_000);
  await expect(run).toHaveCSS("opacity", "0");
  await contact.message.fill("Another one");
  await expect(run).toHaveCSS("opacity", "1");
});

test("the egg of the 404 page stands on the line of its digits", async ({ page }) => {
  await open(page, UNKNOWN_PATH);
  for (const width of [390, 1440, 5120]) {
    await page.setViewportSize({ width, height: 900 });
    const code = await boxOf(page.locator(".not-found-code"));
    // The first path is its shadow.
    const egg = await boxOf(page.locator(".not-found-code path").nth(1));
    expect.soft((egg.bottom - code.top) / code.height, `${width} px`).toBeCloseTo(0.94, 2);
  }
});

test("in forced dark colours, eggs stay white", async ({ page }) => {
  await forceDarkColors(page);
  for (const [path, egg, x, y] of [
    [UNKNOWN_PATH, ".yolk", -0.15, 0.3],
    ["/contact", ".yolk", -0.15, 0.3],
    ["/privacy", ".legal-egg", 0.13, 0.45],
  ] as const) {
    await open(page, path);
    await waitForAnimations(page);
    expect.soft(await light(page, page.locator(egg), x, y), path).toBeGreaterThan(0.8);
  }
});
