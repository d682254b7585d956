// PAGE-3, PAGE-31, PAGE-32, PAGE-34: motion, colours and print.

import { expect, test } from "./fixtures.ts";
import { forceDarkColors, light } from "./page/light.ts";
import { hold, open } from "./page/loading.ts";
import { ORIGIN } from "./site/sites.ts";
import { PAGES, UNKNOWN_PATH } from "./site/specification.ts";

test.describe("motion", () => {
  test("a view transition takes 120 ms", async ({ page }) => {
    await open(page, "/");
    const ends = await page.evaluate(async () => {
      await document.startViewTransition(() => {}).ready;
      return document.getAnimations().map(({ effect }) => effect?.getComputedTiming().endTime);
    });
    expect(Math.max(...ends.map(Number))).toBe(120);
  });

  for (const { browser, reducedMotion, transitions } of [
    { browser: "that animates", reducedMotion: "no-preference", transitions: 1 },
    { browser: "with reduced motion", reducedMotion: "reduce", transitions: 0 },
    { browser: "without view transitions", reducedMotion: "no-preference", transitions: 0 },
  ] as const) {
    test(`in a browser ${browser}, a link has ${transitions} transitions`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion });
      await page.addInitScript((isSupported) => {
        const start = document.startViewTransition;
        const value = function (this: Document, ...given: Parameters<typeof start>) {
          performance.mark("transition");
          return start.apply(this, given);
        };
        const property = { value: isSupported ? value : undefined };
        Object.defineProperty(Document.prototype, "startViewTransition", property);
      }, browser !== "without view transitions");
      await open(page, "/");
      await page.locator("main a[href='/contact']").click();
      await expect(page.locator("form")).toBeVisible();
      const marks = () => performance.getEntriesByName("transition").length;
      expect(await page.evaluate(marks)).toBe(transitions);
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
    for (const copy of await page.locator("use[class^=copy]").all()) {
      await expect(copy).toHaveCSS("opacity", "0");
    }
  });

  test("buttons and the mark answer the pointer in 120 ms", async ({ page }) => {
    await open(page, "/contact");
    const [button, mark] = [page.locator("form button"), page.locator(".brand svg")];
    await button.hover();
    await expect(button).toHaveCSS("transform", "matrix(1, 0, 0, 1, 0, -1)");
    await page.mouse.down();
    await expect(button).toHaveCSS("transform", "matrix(0.985, 0, 0, 0.985, 0, 1)");
    await mark.hover();
    await page.mouse.up();
    await expect(mark).toHaveCSS("transform", /^matrix\(0\.9945/);
    for (const control of [button, mark]) {
      await expect(control).toHaveCSS("transition-duration", "0.12s");
    }
  });
});

for (const [colorScheme, canvas] of [
  ["light", "rgb(255, 255, 255)"],
  ["dark", "rgb(18, 18, 18)"],
] as const) {
  test(`pages, what the browser draws and its toolbars are ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of PAGES) {
      await open(page, path);
      const [drawn, ...colors] = await page.evaluate(() => {
        const metas = document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]");
        const theme = [...metas].find(({ media }) => matchMedia(media).matches)?.content ?? "";
        const probe = document.body.appendChild(document.createElement("i"));
        const [drawn, toolbars] = ["Canvas", theme].map((color) => {
          probe.style.color = color;
          return getComputedStyle(probe).color;
        });
        const header = getComputedStyle(document.querySelector("header") as Element);
        // Safari 26 and web views take the colour of bars and overscroll from the body.
        const { backgroundColor } = getComputedStyle(document.body);
        return [drawn, toolbars, header.backgroundColor, backgroundColor];
      });
      expect.soft(drawn, path).toBe(canvas);
      expect.soft(new Set(colors).size, path).toBe(1);
      const sum = Math.max(...(colors[0]?.match(/\d+/g) ?? []).map(Number));
      expect.soft(colorScheme === "light" ? sum > 200 : sum < 60, path).toBe(true);
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
    // Until then, its text is read.
    const words = (await picture.getAttribute("alt"))?.split(" ").length ?? 0;
    expect(Math.abs(words - 23)).toBeLessThan(7);
    const ground = await light(page, picture, 0.05, 0.95);
    for (const x of [0.25, 0.7]) {
      const difference = Math.abs((await light(page, picture, x, 0.4)) - ground);
      expect.soft(difference).toBeGreaterThan(0.05);
    }
    loadPictures();
  });
}

test("in forced colours, the bar of the contents and its list have an edge", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, "/privacy");
  const bar = page.locator("article nav");
  await bar.locator("summary").click();
  for (const box of [bar, bar.locator("ol")])
    await expect(box).toHaveCSS("border-bottom", /^1px solid/);
});

test.describe("print", () => {
  test("links on paper have addresses, with an origin", { tag: "@origin" }, async ({ page }) => {
    await page.emulateMedia({ media: "print" });
    await open(page, "/terms");
    const addresses = () =>
      page
        .locator(".text-link")
        .evaluateAll((all) => all.map((link) => getComputedStyle(link, "::after").content));
    expect(await addresses()).toEqual([`" (${ORIGIN}/privacy)"`, `" (${ORIGIN}/contact)"`]);
    await page.evaluate(() => document.documentElement.removeAttribute("data-origin"));
    expect(await addresses()).toEqual(["none", "none"]);
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
});
