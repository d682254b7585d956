// PAGE-23, PAGE-28, PAGE-29, PAGE-30, PAGE-31: axe, landmarks, keyboard and pointer targets.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_COMPLAINT } from "./page/complaints.ts";
import { open } from "./page/hydration.ts";
import { STATES, settled } from "./page/states.ts";
import { PAGES, ROUTES } from "./site/specification.ts";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const SCREENS = [
  { screen: "phone", viewport: { width: 390, height: 844 } },
  { screen: "desktop", viewport: { width: 1440, height: 900 } },
];

test.beforeEach(({ complaints }) => {
  complaints.expect(UNKNOWN_PATH_COMPLAINT);
});

async function axeFindings(page: Page): Promise<string[]> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`),
  );
}

for (const { screen, viewport } of SCREENS) {
  for (const colorScheme of ["light", "dark"] as const) {
    test.describe(`axe finds nothing on a ${screen} in ${colorScheme} colours`, () => {
      test.use({ viewport, colorScheme });

      for (const state of STATES) {
        test(`on ${state.name}`, async ({ page }) => {
          await state.reach(page);
          expect(await axeFindings(page)).toEqual([]);
        });
      }
    });
  }
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in ${colorScheme} colours where more contrast is asked for`, async ({
    page,
  }) => {
    await page.emulateMedia({ contrast: "more", colorScheme });
    for (const path of PAGES) {
      await open(page, path);
      expect.soft(await axeFindings(page), path).toEqual([]);
    }
  });
}

test("pages have one of each landmark, one first heading and no rank left out", async ({
  page,
}) => {
  for (const path of PAGES) {
    await open(page, path);
    for (const landmark of ["banner", "main", "contentinfo"] as const) {
      await expect.soft(page.getByRole(landmark), `${landmark} of ${path}`).toHaveCount(1);
    }
    const ranks = await page
      .locator("h1, h2, h3, h4, h5, h6")
      .evaluateAll((all) => all.map((heading) => Number(heading.tagName.slice(1))));
    expect
      .soft(
        ranks.filter((rank) => rank === 1),
        path,
      )
      .toHaveLength(1);
    for (const [index, rank] of ranks.entries()) {
      expect.soft(rank, path).toBeLessThanOrEqual((ranks[index - 1] ?? 1) + 1);
    }
  }
});

/** What a keyboard user sees of the element that has the focus. */
async function focusedStop(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1);
    const seen = document.elementFromPoint(x, y);
    const ring = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
    return {
      name: `${element.tagName} ${(element.textContent || element.getAttribute("name") || "").trim()}`,
      ring,
      seen: seen !== null && (element.contains(seen) || seen.contains(element)),
    };
  });
}

for (const { screen, viewport } of SCREENS) {
  test(`by keyboard on a ${screen}, every stop has a visible ring, none is hidden or a trap`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    for (const path of PAGES) {
      await open(page, path);
      const expected = await page
        .locator("a[href], button, input, textarea, summary")
        .evaluateAll((all) => all.filter((element) => element.checkVisibility()).length);
      const stops = [];
      for (let stop = 0; stop < expected; stop += 1) {
        await page.keyboard.press("Tab");
        await settled(page);
        stops.push(await focusedStop(page));
      }
      const seen = stops.map((stop) => ({ name: stop?.name, ring: true, seen: true }));
      expect.soft(stops, path).toEqual(seen);
      // Past the last stop the focus leaves the page, or starts over where there is nowhere to go.
      await page.keyboard.press("Tab");
      expect
        .soft([null, stops[0]], `past the last stop of ${path}`)
        .toContainEqual(await focusedStop(page));
    }
  });
}

/** WCAG 2.5.8: 24 px each way; links inside a sentence are exempt. */
const SMALLEST_TARGET_PX = 24;
const PRIMARY_TARGET_PX = 44;

test.describe("a finger hits what it aims at", () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true });

  for (const state of STATES) {
    test(`targets are at least ${SMALLEST_TARGET_PX} px each way on ${state.name}`, async ({
      page,
    }) => {
      await state.reach(page);
      await settled(page);
      const small = await page.locator("a[href], button, input, textarea, summary").evaluateAll(
        (all, smallest) =>
          all
            .filter((element) => element.checkVisibility({ visibilityProperty: true }))
            .filter((element) => {
              const words = (node: Element | null) => (node?.textContent ?? "").trim();
              const inSentence =
                getComputedStyle(element).display === "inline" &&
                words(element.closest("p, li, dd")) !== words(element);
              const { width, height } = element.getBoundingClientRect();
              return !inSentence && (width < smallest || height < smallest);
            })
            .map((element) => {
              const { width, height } = element.getBoundingClientRect();
              return `${element.outerHTML.slice(0, 90)} ${width}×${height}`;
            }),
        SMALLEST_TARGET_PX,
      );
      expect(small).toEqual([]);
    });
  }

  for (const { path, name, role } of [
    { path: "/", name: "Get in Touch", role: "link" },
    { path: "/contact", name: /send/i, role: "button" },
    { path: "/contact", name: "Name", role: "textbox" },
    { path: "/contact", name: "Email", role: "textbox" },
    { path: "/contact", name: "Message", role: "textbox" },
    { path: PAGES.at(-1) ?? "", name: "Return to Home", role: "link" },
  ] as const) {
    test(`${name} on ${path} is at least ${PRIMARY_TARGET_PX} px high`, async ({ page }) => {
      await open(page, path);
      const box = await page.getByRole(role, { name }).first().boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(PRIMARY_TARGET_PX);
      expect(box?.width).toBeGreaterThanOrEqual(PRIMARY_TARGET_PX);
    });
  }
});

test("pages say their language", async ({ page }) => {
  for (const { path } of ROUTES) {
    await open(page, path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  }
});
