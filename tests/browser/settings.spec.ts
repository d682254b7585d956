// PAGE-22, PAGE-33: operator settings in the pages.

import { testOnNewPage as base, expect } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { readHead, things } from "./page/head.ts";
import { open } from "./page/hydration.ts";
import { overflowing } from "./page/overflow.ts";
import { type Site, startSite } from "./site/executable.ts";
import { PAGES, ROUTES } from "./site/specification.ts";

/** A name and an address with the special characters of HTML, JSON, XML and URLs. */
const SETTINGS = {
  name: `Tom & "Ana's" </script><b>Küche</b> 🍳 \u05d0\u05d5\u05db\u05dc`,
  email: "o'hara+help@kitchen.example",
} as const;

const test = base.extend<{ configured: Site }>({
  configured: async ({}, use) => {
    const origin = ["--origin", "https://kitchen.example"];
    const texts = ["--app-name", SETTINGS.name, "--support-email", SETTINGS.email];
    const site = await startSite([...origin, ...texts]);
    await use(site);
    await site.stop();
  },
  baseURL: async ({ configured }, use) => use(configured.url),
});

/** The longest name, and an address with 64 characters before its @, without spaces. */
const LONG = {
  name: "Grossmutterskochbuchsammlungsverwaltungsanwendungshersteller",
  email: `${"feedback-and-support".repeat(4).slice(0, 64)}@grandmothersrecipecollection.example`,
} as const;

const WIDTHS = [320, 360, 390, 480, 640, 768, 959, 960, 1024, 1440];

const testOfLongWords = base.extend<{ configured: Site }>({
  configured: async ({}, use) => {
    const site = await startSite(["--app-name", LONG.name, "--support-email", LONG.email]);
    await use(site);
    await site.stop();
  },
  baseURL: async ({ configured }, use) => use(configured.url),
});

for (const javaScriptEnabled of [true, false]) {
  testOfLongWords.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    testOfLongWords.use({ javaScriptEnabled });

    testOfLongWords(
      "a name and an address without spaces fit every page at every width",
      async ({ page, browserErrors }) => {
        browserErrors.expect(UNKNOWN_PATH_ERROR);
        for (const path of PAGES) {
          await page.goto(path);
          const mark = page.getByRole("banner").locator("svg");
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            expect.soft((await mark.boundingBox())?.width, `mark at ${width} px`).toBe(36);
            expect.soft(await overflowing(page), `${path} at ${width} px`).toEqual([]);
          }
        }
      },
    );
  });
}

for (const { path } of ROUTES) {
  test(`the configured name is escaped in the HTML of ${path} and shown in its title and text`, async ({
    page,
    request,
  }) => {
    const html = await (await request.get(path)).text();
    expect(html).not.toContain("</script><b>");
    await open(page, path);
    expect(await page.title()).toContain(SETTINGS.name);
    await expect(page.getByRole("banner")).toContainText(SETTINGS.name);
    await expect(page.locator("body")).not.toContainText("RecipeLog");
    await expect(page.getByText("Küche", { exact: true })).toHaveCount(0);
  });
}

test("the configured name and address are shown after a page change without a reload", async ({
  page,
}) => {
  await open(page, "/");
  await page.getByRole("banner").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  expect(await page.title()).toContain(SETTINGS.name);
  await expect(page.getByRole("main")).toContainText(SETTINGS.name);
  const link = page.getByRole("main").getByRole("link", { name: SETTINGS.email }).last();
  const target = decodeURIComponent((await link.getAttribute("href")) ?? "");
  expect(target).toBe(`mailto:${SETTINGS.email}`);
});

test("the configured name is unchanged in JSON-LD, manifest and llms.txt", async ({ page }) => {
  await open(page, "/");
  const names = things(await readHead(page)).map((thing) => thing.name);
  expect(new Set(names)).toEqual(new Set([SETTINGS.name]));
  const manifest = (await (await page.request.get("/site.webmanifest")).json()) as { name: string };
  expect(manifest.name).toBe(SETTINGS.name);
  expect(await (await page.request.get("/llms.txt")).text()).toContain(SETTINGS.name);
});

test("without JavaScript, /contact links to the configured address", async ({
  browser,
  configured,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${configured.url}/contact`);
  await expect(page.getByRole("link", { name: SETTINGS.email })).toBeVisible();
  await page.close();
});
