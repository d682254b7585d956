/**
 * Takes screenshots for a visual review: `npm run screenshots -- FOLDER`. They show every page and
 * every state of the form, at eight sizes of the window, in the light and dark colour scheme.
 * `npm run screenshots -- --readme` takes the pictures of README.md instead.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium as playwright } from "@playwright/test";
import { STATES, type State, waitForAnimations } from "./page/states.ts";
import { chromium } from "./site/chromium.ts";
import { startSite } from "./site/executable.ts";

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

interface Picture {
  readonly state: State;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
  readonly name: string;
}

/** Every state in every window. */
const review: Picture[] = SCREENS.flatMap((viewport) =>
  (["light", "dark"] as const).flatMap((colorScheme) =>
    STATES.map((state) => {
      const page = state.name === "/" ? "landing" : state.name.replace(/\W+/g, "-").slice(1);
      return { state, viewport, colorScheme, name: `${page}-${viewport.width}-${colorScheme}` };
    }),
  ),
);

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const readme: Picture[] = STATES.filter((state) => state.name === "/").flatMap((state) => [
  { state, viewport: desktop, colorScheme: "light", name: "landing-light" },
  { state, viewport: desktop, colorScheme: "dark", name: "landing-dark" },
  { state, viewport: phone, colorScheme: "dark", name: "landing-phone-dark" },
]);

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: npm run screenshots -- FOLDER | --readme");
  process.exit(2);
}
const isReadme = folder === "--readme";
const output = isReadme ? join(import.meta.dirname, "../../docs") : folder;
await mkdir(output, { recursive: true });

const site = await startSite();
const browser = await playwright.launch({
  executablePath: chromium.path,
  // The last frame of the hero picture. The emulation of a page does not reach its pictures.
  args: [...chromium.flags, "--force-prefers-reduced-motion"],
});
for (const { state, viewport, colorScheme, name } of isReadme ? readme : review) {
  const page = await browser.newPage({
    baseURL: site.url,
    viewport,
    colorScheme,
    deviceScaleFactor: viewport.width < 768 && !isReadme ? 2 : 1,
  });
  // tsx wraps named functions in calls of __name, even functions that run in the page, which has
  // no __name.
  await page.addInitScript("globalThis.__name = (named) => named");
  await state.reach(page);
  await waitForAnimations(page);
  const path = join(output, `${name}.png`);
  await page.screenshot({ path, fullPage: !isReadme && !state.name.includes("toast") });
  await page.close();
  console.log(path);
}
await browser.close();
await site.stop();
