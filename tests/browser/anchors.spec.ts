// PAGE-6: contents and anchors of the legal pages.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { hold, open } from "./page/hydration.ts";
import { setFontSize } from "./page/sizes.ts";
import { focusAsWebKit } from "./page/webkit-focus.ts";

/** True if the heading of the section is in the upper half of the window and not covered. */
async function isHeadingInView(page: Page, hash: string): Promise<boolean> {
  return page.evaluate((id) => {
    const heading = document.getElementById(id)?.querySelector("h2");
    if (!heading) return false;
    const box = heading.getBoundingClientRect();
    const x = box.left + Math.min(box.width, 40) / 2;
    const topmost = document.elementFromPoint(x, box.top + box.height / 2);
    return box.top >= 0 && box.top < innerHeight / 2 && heading.contains(topmost);
  }, hash.slice(1));
}

const contents = (page: Page) => page.locator("article nav");

/** The link beside the heading of a section. */
const linkTo = (page: Page, index: number) => page.locator(".anchor").nth(index);

async function followContents(page: Page, hash: string): Promise<void> {
  const disclosure = contents(page).locator("summary");
  if (await disclosure.isVisible()) await disclosure.click();
  await contents(page).locator(`a[href$='${hash}']`).click();
}

/** A legal page, and a section in its middle, with enough text before and after it to scroll. */
const path = "/privacy";
const hash = "#data-retention";

for (const viewport of [
  { width: 390, height: 700 },
  { width: 1280, height: 720 },
]) {
  test(`${path}${hash} is shown by a link, Back, Forward and a load at ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const expectSection = async () => {
      await expect(page).toHaveURL(`${path}${hash}`);
      await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
      await expect(contents(page)).toBeInViewport();
      await expect(contents(page).locator("[open]")).toHaveCount(0);
    };
    const followHome = async () => {
      await page.locator(".back-link").dispatchEvent("click");
      await expect(page).toHaveURL("/");
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    };
    await open(page, path);
    await followContents(page, hash);
    await expectSection();
    await page.evaluate(() => scrollBy(0, 500));
    await followHome();
    await page.goBack();
    await expectSection();
    await open(page, path);
    await followContents(page, hash);
    await expectSection();
    await page.goBack();
    await expect(page).toHaveURL(path);
    await page.goForward();
    await expectSection();
    await followHome();
    await page.goBack();
    await expectSection();
    await page.goto("about:blank");
    await open(page, `${path}${hash}`);
    await expectSection();
  });
}

test(`on an iPhone, a tap on a link of the contents shows its section`, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await focusAsWebKit(page);
  await open(page, path);
  // A tap on the disclosure gives it the focus.
  await contents(page).locator("summary").click();
  await contents(page).locator("summary").focus();
  await contents(page).locator(`a[href$='${hash}']`).click({ timeout: 5_000 });
  await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
});

test(`the contents mark the section that is read after the phone was turned`, async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 900 });
  await open(page, path);
  const marked = contents(page).locator("[aria-current]");
  await page.evaluate(() => {
    // Safari does not keep the text in its place.
    document.documentElement.style.overflowAnchor = "none";
    scrollTo(0, document.body.scrollHeight * 0.4);
  });
  const atTop = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll("article section")];
      return `#${all.filter((each) => each.getBoundingClientRect().top < 90).at(-1)?.id}`;
    });
  await expect(marked).toHaveAttribute("href", await atTop());
  await page.setViewportSize({ width: 320, height: 700 });
  await expect(marked).toHaveAttribute("href", await atTop());
  // In a lower window, the end of the page is not shown any more.
  await page.setViewportSize({ width: 700, height: 900 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(marked).not.toHaveAttribute("href", await atTop());
  await page.setViewportSize({ width: 700, height: 500 });
  await expect(marked).toHaveAttribute("href", await atTop());
});

test(`a link to a section is shown while it or its heading is pointed at, and is neither copied nor a Tab stop`, async ({
  page,
}) => {
  await open(page, path);
  const heading = page.locator("main section h2").nth(1);
  const link = linkTo(page, 1);
  await expect(link).toHaveCSS("opacity", "0");
  await heading.hover();
  await expect(link).toHaveCSS("opacity", "1");
  await page.mouse.move(0, 0);
  await expect(link).toHaveCSS("opacity", "0");
  await expect(link).toHaveJSProperty("tabIndex", -1);
  await page.keyboard.press("Control+A");
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^[^#]+$/);
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 664 } });

  test(`the bar names the section that is read, and no heading has a link`, async ({ page }) => {
    await open(page, path);
    await expect(page.locator(".anchor").nth(1)).toBeHidden();
    const last = page.locator("main section h2").last();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.locator("summary span")).toHaveText(await last.innerText());
  });
});

test(`the contents link to each section in order, and mark the one that is read`, async ({
  page,
}) => {
  await open(page, path);
  const links = contents(page).locator("ol a");
  await expect(links).toHaveText(await page.locator("main section h2").allTextContents());
  const marked = contents(page).locator("[aria-current]");
  const sections = await page
    .locator("article section")
    .evaluateAll((all) => all.map(({ id }) => `#${id}`));
  for (const [width, standard] of [
    [390, 24],
    [1280, 32],
    [1280, 16],
  ] as const) {
    await page.setViewportSize({ width, height: 720 });
    await setFontSize(page, standard);
    await page.evaluate(() => scrollTo(0, 0));
    await expect(marked).toHaveAttribute("href", sections[0] ?? "");
    // Any that was followed, also the last one at the end.
    for (const [index, anchor] of sections.entries()) {
      await expect(links.nth(index)).toHaveAttribute("href", anchor);
      await followContents(page, anchor);
      await expect(marked).toHaveCount(1);
      await expect(marked).toHaveAttribute("href", anchor);
      await expect(linkTo(page, index)).toHaveAttribute("href", anchor);
    }
  }
  await expect(marked).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
  await expect(marked).toHaveAttribute("href", sections[0] ?? "");
});

for (const forcedColors of ["none", "active"] as const) {
  test(`${path} highlights only the addressed section with forced-colors: ${forcedColors}`, async ({
    page,
  }) => {
    await page.emulateMedia({ forcedColors });
    await open(page, path);
    const highlighted = () =>
      page.locator("main h2").evaluateAll((all) =>
        all
          .filter((heading) => {
            const { backgroundImage, textDecorationLine } = getComputedStyle(heading);
            return backgroundImage.includes("gradient") || textDecorationLine === "underline";
          })
          .map((heading) => `#${heading.closest("section")?.id}`),
      );
    expect(await highlighted()).toEqual([]);
    await followContents(page, hash);
    await expect.poll(highlighted).toEqual([hash]);
    await page.getByRole("contentinfo").locator(`a[href="${path}"]`).click();
    await expect(page).toHaveURL(path);
    await expect.poll(highlighted).toEqual([]);
    await page.goBack();
    await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
    await expect.poll(highlighted).toEqual([hash]);
  });
}

for (const [way, close] of [
  ["Escape", (page: Page) => page.keyboard.press("Escape")],
  ["a tap outside", (page: Page) => page.mouse.click(100, 100)],
  [
    "Tab",
    async (page: Page) => {
      await contents(page).getByRole("link").last().focus();
      await page.keyboard.press("Tab");
    },
  ],
] as const) {
  test(`${way} closes the contents on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, path);
    await contents(page).locator("summary").click();
    await contents(page).getByRole("link").first().focus();
    await close(page);
    await expect(contents(page).getByRole("link").first()).toBeHidden();
    if (way === "Escape") await expect(contents(page).locator("summary")).toBeFocused();
  });
}

test(`before the app is there, a link of the contents shows its section`, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await hold(page);
  await page.goto(path);
  await followContents(page, hash);
  await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test(`the contents are closed on a phone and show a section`, async ({ page }) => {
    await page.goto(path);
    const row = contents(page).getByRole("link").first();
    await expect(row).toBeVisible();
    await page.setViewportSize({ width: 390, height: 700 });
    await expect(row).toBeHidden();
    await contents(page).locator("summary").click();
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await contents(page).locator("summary").click();
    await followContents(page, hash);
    await expect.poll(() => isHeadingInView(page, hash)).toBe(true);
  });
});
