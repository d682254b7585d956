// PAGE-3, PAGE-31, PAGE-32, PAGE-34: motion, colours and print.

import { expect, test } from "./fixtures.ts";
import { forceDarkColors, light } from "./page/light.ts";
import { hold, open, waitForAnimations } from "./page/loading.ts";
import { ORIGIN } from "./site/sites.ts";
import { PAGES, UNKNOWN_PATH } from "./site/specification.ts";

for (const [reducedMotion, seconds] of [
  ["no-preference", [0.12]],
  ["reduce", []],
] as const) {
  test(`with ${reducedMotion}, a page change has transitions of [${seconds}] s`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await open(page, "/");
    const ended = await page.evaluateHandle(() => {
      const ended = new Set<number>();
      document.addEventListener("animationend", ({ pseudoElement, elapsedTime }) => {
        if (pseudoElement.startsWith("::view-transition")) ended.add(elapsedTime);
      });
      return ended;
    });
    await page.locator("main a[href='/contact']").click();
    await expect(page.locator("form")).toBeVisible();
    await waitForAnimations(page);
    await expect.poll(() => ended.evaluate((ended) => [...ended])).toEqual(seconds);
  });
}

test("the picture tells its story once, in 1.6 s", {
  tag: "@drawing",
}, async ({ page }) => {
  await open(page, "/");
  const path = await page
    .locator("main img")
    .evaluate((picture) => new URL((picture as HTMLImageElement).currentSrc).pathname);
  const picture = await (await page.request.get(path)).text();
  // No script reaches the animations of a picture in an img element.
  await page.goto("about:blank");
  await page.setContent(picture);
  // Asked for in the frame in which they start, however slow the machine is.
  const timings = (fragment: string) =>
    page.evaluate(async (fragment) => {
      location.assign(fragment);
      await new Promise(requestAnimationFrame);
      return document.getAnimations().map(({ effect }) => effect?.getComputedTiming());
    }, fragment);
  // On paper
  expect(await timings("#end")).toEqual([]);
  const story = await timings("#");
  expect(story.length).toBeGreaterThan(0);
  expect(Math.max(...story.map((timing) => Number(timing?.endTime)))).toBeLessThanOrEqual(1600);
  expect(new Set(story.map((timing) => timing?.iterations))).toEqual(new Set([1]));
  expect(new Set(story.map((timing) => timing?.fill))).toEqual(new Set(["backwards", "none"]));
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await timings("#")).toEqual([]);
  const copies = page.locator("use[class^=copy]");
  expect(await copies.count()).toBeGreaterThan(0);
  for (const copy of await copies.all()) await expect(copy).toHaveCSS("opacity", "0");
});

test("buttons and the mark answer the pointer in 120 ms", async ({ page }) => {
  await open(page, "/contact");
  for (const control of [page.locator("form button"), page.locator(".brand svg")]) {
    await expect(control).toHaveCSS("transform", "none");
    await control.hover();
    await expect(control).not.toHaveCSS("transform", "none");
    await expect(control).toHaveCSS("transition-duration", "0.12s");
  }
});

for (const [colorScheme, canvas] of [
  ["light", "rgb(255, 255, 255)"],
  ["dark", "rgb(18, 18, 18)"],
] as const) {
  test(`pages, what the browser draws and its toolbars are ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of PAGES) {
      await open(page, path);
      const [drawn, toolbars, header, body] = await page.evaluate(() => {
        const metas = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
        const theme = metas.find(({ media }) => matchMedia(media).matches)?.content ?? "";
        const probes = ["Canvas", theme].map((color) => {
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.backgroundColor = color;
          return probe;
        });
        return [...probes, document.querySelector("header") as Element, document.body].map(
          (part) => getComputedStyle(part).backgroundColor,
        );
      });
      expect.soft(drawn, path).toBe(canvas);
      // Safari 26 and web views take the colour of bars and overscroll from the body.
      expect.soft([header, body], path).toEqual([toolbars, toolbars]);
      const isLight = Number(/\d+/.exec(`${toolbars}`)) > 128;
      expect.soft(isLight, path).toBe(colorScheme === "light");
    }
  });
}

test("in forced dark colours, digits stay legible", async ({ page }) => {
  await forceDarkColors(page);
  await open(page, UNKNOWN_PATH);
  const code = page.locator(".not-found-code");
  expect(await light(page, code, 0, 0), "ground").toBeLessThan(0.3);
  expect(await light(page, code, 35 / 192, 0.8), "digit").toBeGreaterThan(0.8);
});

test("in forced dark colours, the picture stays whole", { tag: "@drawing" }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await forceDarkColors(page);
  await open(page, "/");
  for (const [part, x, y] of [
    ["white", 0.855, 0.11],
    ["yolk", 0.808, 0.107],
    ["last row", 0.6, 0.855],
  ] as const) {
    expect.soft(await light(page, page.locator("main img"), x, y), part).toBeGreaterThan(0.6);
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the outlines before the picture are visible if ${colorScheme}`, {
    tag: "@drawing",
  }, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme });
    const loadPictures = await hold(page, { files: "**/hero-*.svg" });
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const picture = page.locator("main img");
    const lights = async () => [
      await light(page, picture, 0.25, 0.4),
      await light(page, picture, 0.7, 0.4),
    ];
    const outlines = await lights();
    await picture.evaluate((element) => element.style.setProperty("background", "none"));
    for (const [index, ground] of (await lights()).entries())
      expect.soft(Math.abs(Number(outlines[index]) - ground)).toBeGreaterThan(0.05);
    loadPictures();
  });
}

test("links on paper have addresses, with an origin", { tag: "@origin" }, async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  await open(page, "/terms");
  const link = page.locator(".text-link").first();
  const after = { pseudo: "after" } as const;
  await expect(link).toHaveCSS("content", `" (${ORIGIN}/privacy)"`, after);
  await page.locator("html").evaluate((root) => root.removeAttribute("data-origin"));
  await expect(link).toHaveCSS("content", "none", after);
});

for (const [path, message] of [
  ["/", ""],
  ["/contact", ""],
  ["/contact", "Line.\n".repeat(12)],
] as const) {
  test(`${path} prints on one sheet with a message of ${message.length} letters`, async ({
    page,
  }) => {
    await open(page, path);
    if (message) await page.locator("#message").fill(message);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const form = page.locator("form").locator("visible=true");
    await expect(form).toHaveCount(message ? 1 : 0);
    // A text of a style sheet: the browser shows only some lines of the text area.
    const printed = await form
      .locator(".field")
      .evaluateAll((all) => all.map((field) => getComputedStyle(field, "::after").content));
    expect(printed.join().split("Line.")).toHaveLength(message.split("Line.").length);
    const pdf = await page.pdf({ format: "Letter", preferCSSPageSize: true });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
}

test("the picture on paper is light, and its last frame", {
  tag: "@drawing",
}, async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "/");
  await page.emulateMedia({ media: "print" });
  // In the file, nothing moves at this address: see "tells its story once".
  const source = () =>
    page.locator("main img").evaluate((picture) => (picture as HTMLImageElement).currentSrc);
  await expect.poll(source).toMatch(/hero-wide-light\.\w+\.svg#end$/);
});
