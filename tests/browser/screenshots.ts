/**
 * Takes screenshots for a visual review: `npm run screenshots`. They show every page and every state of the form, at eight
 * sizes of the window, in the light and dark colour scheme, and are in test-results/screenshots. `npm run
 * screenshots-of-readme` takes the pictures of README.md instead.
 */
import { join } from "node:path";
import { test } from "./fixtures.ts";
import { waitForAnimations } from "./page/loading.ts";
import { STATES } from "./page/states.ts";
import { chromium } from "./site/chromium.ts";

const SCREENS = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 844, height: 390 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];

// The last frame of the hero picture. The emulation of a page does not reach its pictures.
test.use({
  launchOptions: {
    executablePath: chromium.path,
    args: [...chromium.flags, "--force-prefers-reduced-motion"],
  },
});

for (const viewport of SCREENS) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport, deviceScaleFactor: viewport.width < 768 ? 2 : 1 });

    for (const { name, site, reach } of STATES) {
      const tag = site ? `@${site}` : [];
      test(name, { tag }, async ({ page, contact, browserErrors }, { project }) => {
        if (site === "receiver") browserErrors.expect(/./);
        await reach(contact);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await waitForAnimations(page);
          const file = `screenshots/${name}-${viewport.width}-${colorScheme}.png`;
          const fullPage = name !== "contact-sent";
          await page.screenshot({ path: join(project.outputDir, file), fullPage });
        }
      });
    }
  });
}

for (const [name, width, height, colorScheme] of [
  ["landing-light", 1440, 900, "light"],
  ["landing-dark", 1440, 900, "dark"],
  ["landing-phone-dark", 390, 844, "dark"],
] as const) {
  test(name, { tag: "@readme" }, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await waitForAnimations(page);
    await page.screenshot({ path: join(import.meta.dirname, `../../docs/${name}.png`) });
  });
}
