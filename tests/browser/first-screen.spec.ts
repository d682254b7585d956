// PAGE-33: what the first screen of a window shows, and how the landing page fits it.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/hydration.ts";
import { LEGAL_PAGES, UNKNOWN_PATH } from "./site/specification.ts";

/** Some without the bars of the browser, as after scrolling, and some with them, as at first. */
for (const viewport of [
  { width: 844, height: 390 },
  { width: 844, height: 340 },
  { width: 740, height: 300 },
  { width: 667, height: 375 },
  { width: 667, height: 331 },
  { width: 568, height: 320 },
]) {
  test(`on a phone in landscape, ${viewport.width} × ${viewport.height} px, the main link is visible without scrolling`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    for (const { path, name } of [
      { path: "/", name: "Get in Touch" },
      { path: UNKNOWN_PATH, name: "Return to Home" },
    ]) {
      await open(page, path);
      await expect.soft(page.getByRole("link", { name })).toBeInViewport({ ratio: 1 });
    }
  });
}

for (const { width, height, least } of [
  { width: 1280, height: 720, least: 80 },
  { width: 1440, height: 900, least: 70 },
  { width: 1920, height: 1080, least: 86 },
  { width: 2560, height: 1440, least: 118 },
]) {
  test(`at ${width} × ${height} px, the headline takes the width beside the picture, and both fit the first screen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, "/");
    const main = page.getByRole("main");
    const size = await main
      .getByRole("heading")
      .evaluate((heading) => Number.parseFloat(getComputedStyle(heading).fontSize));
    const picture = await main.getByRole("img").boundingBox();
    expect(size).toBeGreaterThan(least);
    expect(picture?.height).toBeGreaterThan(0.7 * height);
    await expect(main.getByRole("img")).toBeInViewport({ ratio: 1 });
    await expect(main.getByRole("link")).toBeInViewport({ ratio: 1 });
  });
}

for (const { width, height, columns, shown } of [
  { width: 1440, height: 900, columns: 1, shown: ".site-footer" },
  { width: 1280, height: 720, columns: 2, shown: ".site-footer" },
  { width: 1280, height: 620, columns: 2, shown: "form button" },
  { width: 844, height: 390, columns: 2, shown: "h1" },
  { width: 390, height: 844, columns: 1, shown: "h1" },
]) {
  test(`at ${width} × ${height} px, the form has ${columns} columns and even padding, ${shown} is on the first screen, and messages move nothing`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, "/contact");
    const boxes = () =>
      page
        .locator("form, label[for=name], #name, #email, form button")
        .evaluateAll((all) =>
          all.map((element) => element.getBoundingClientRect().toJSON() as DOMRect),
        );
    await expect(page.locator(shown)).toBeInViewport({ ratio: 1 });
    const before = await boxes();
    const [form, label, name, email, button] = before as [
      DOMRect,
      DOMRect,
      DOMRect,
      DOMRect,
      DOMRect,
    ];
    expect(form.bottom - button.bottom).toBeCloseTo(label.top - form.top, 0);
    expect(email.left > name.left).toBe(columns === 2);
    await page.locator("#name").press("Enter");
    await expect(page.getByText("Please write us a message.")).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    expect(await boxes()).toEqual(before);
  });
}

for (const { width, height, digits, least } of [
  { width: 1440, height: 900, digits: 316.8, least: { heading: 60, form: 500 } },
  { width: 1920, height: 1080, digits: 326.4, least: { heading: 78, form: 625 } },
  { width: 2560, height: 1440, digits: 435.2, least: { heading: 85, form: 680 } },
  { width: 5120, height: 900, digits: 480, least: { heading: 85, form: 680 } },
]) {
  test(`at ${width} × ${height} px, the 404 page fits, has large digits with the egg on their line, and grows as the contact page does`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await open(page, "/contact");
    expect((await page.locator("form").boundingBox())?.width).toBeGreaterThan(least.form);
    await open(page, UNKNOWN_PATH);
    await expect(page.locator(".site-footer")).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("main").locator("p")).toHaveCSS("font-size", `${digits}px`);
    const { size, heading, base, egg } = await page.getByRole("main").evaluate((main) => {
      const foot = document.createElement("img");
      main.querySelector("p")?.prepend(foot);
      const [heading] = main.getElementsByTagName("h1");
      // The first path is the shadow of the egg.
      const [, egg] = main.querySelectorAll("svg > path");
      return {
        size: Number.parseFloat(getComputedStyle(heading as Element).fontSize),
        heading: heading?.getBoundingClientRect().width,
        base: foot.getBoundingClientRect().bottom,
        egg: egg?.getBoundingClientRect().bottom,
      };
    });
    expect(size).toBeGreaterThan(least.heading);
    expect(heading).toBeGreaterThan(300);
    expect(egg).toBeCloseTo(base, 0);
  });
}

for (const width of [600, 768, 959]) {
  test(`on an upright tablet of ${width} px, the text is centred`, async ({ page }) => {
    await page.setViewportSize({ width, height: 1024 });
    for (const path of ["/", UNKNOWN_PATH]) {
      await open(page, path);
      for (const part of ["heading", "link"] as const) {
        const box = await page.getByRole("main").getByRole(part).boundingBox();
        const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2;
        expect.soft(Math.abs(middle - width / 2), `${part} of ${path}`).toBeLessThan(2);
      }
    }
  });
}

for (const viewport of [
  { width: 320, height: 568 },
  { width: 375, height: 553 },
]) {
  test(`on a phone of ${viewport.width} px, the text of the legal pages begins on the first screen`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    for (const { path } of LEGAL_PAGES) {
      await open(page, path);
      const box = await page.locator("main section p").first().boundingBox();
      // The first line.
      expect.soft((box?.y ?? Infinity) + 24, path).toBeLessThan(viewport.height);
    }
  });
}
