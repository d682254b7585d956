// PAGE-23, PAGE-24, PAGE-25: the head of the documents.

import { expect, ORIGIN, test, testAtOrigin } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { readHead } from "./page/head.ts";
import { open } from "./page/hydration.ts";
import { imageSize } from "./page/image-size.ts";
import { APP_NAME, HEADLINE, PAGES, ROUTES, UNKNOWN_PATH } from "./site/specification.ts";

const MAX_SOCIAL_IMAGE_BYTES = 100_000;

test.beforeEach(({ browserErrors }) => {
  browserErrors.expect(UNKNOWN_PATH_ERROR);
});

test.describe("without an origin", () => {
  for (const path of PAGES) {
    test(`the head of ${path} describes the page and contains no URL of the site`, async ({
      page,
    }) => {
      const response = await open(page, path);
      const html = await response.text();
      expect(html.slice(0, 1024)).toMatch(/<meta charset="?utf-8"?/i);
      expect(html).not.toContain("{{");

      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      const { title, metas, canonical } = await readHead(page);
      expect(title).toContain(APP_NAME);
      expect(title.length).toBeLessThanOrEqual(70);
      // Search engines do not show the 404 page, so its description can be short.
      const minLength = path === UNKNOWN_PATH ? 1 : 50;
      expect(metas.description?.length).toBeGreaterThanOrEqual(minLength);
      expect(metas.description?.length).toBeLessThanOrEqual(160);
      expect(metas.viewport).toMatch(/width=device-width/);
      expect(metas.viewport).not.toMatch(/maximum-scale|user-scalable/);
      expect(metas["theme-color (prefers-color-scheme: light)"]).toBeTruthy();
      expect(metas["theme-color (prefers-color-scheme: dark)"]).toBeTruthy();
      expect(canonical).toBeUndefined();
      expect(metas["og:url"]).toBeUndefined();
      expect(metas["og:image"]).toBeUndefined();
    });
  }

  test("no two pages share a title or a description", async ({ page }) => {
    const heads = [];
    for (const path of PAGES) {
      await open(page, path);
      heads.push(await readHead(page));
    }
    expect(new Set(heads.map((head) => head.title)).size).toBe(PAGES.length);
    expect(new Set(heads.map((head) => head.metas.description)).size).toBe(PAGES.length);
  });

  test("no page and no text file of the site contains an absolute URL", async ({ page }) => {
    for (const path of [...PAGES, "/robots.txt", "/llms.txt", "/.well-known/security.txt"]) {
      const text = await (await page.request.get(path, { headers: { Accept: "*/*" } })).text();
      const links = text.match(/https?:\/\/[^\s"'<>)]+/g) ?? [];
      // The URLs of vocabularies are names, not links.
      expect(
        links.filter((link) => !/schema\.org|w3\.org/.test(link)),
        path,
      ).toEqual([]);
    }
  });
});

testAtOrigin.describe("with an origin", () => {
  for (const { path } of ROUTES) {
    testAtOrigin(
      `the head of ${path} contains a canonical URL and social metadata`,
      async ({ page }) => {
        await open(page, path);
        const { title, metas, canonical } = await readHead(page);
        expect(canonical).toBe(`${ORIGIN}${path}`);
        expect(metas).toMatchObject({
          "og:url": canonical,
          "og:title": title,
          "og:description": metas.description,
          "og:type": "website",
          "og:site_name": APP_NAME,
          "og:image": `${ORIGIN}/og.png`,
          "og:image:alt": expect.stringContaining(HEADLINE),
          "og:image:width": "1200",
          "og:image:height": "630",
          "twitter:card": "summary_large_image",
          "twitter:image:alt": metas["og:image:alt"],
        });
        expect(metas.robots).toBeUndefined();
      },
    );
  }

  testAtOrigin(
    "the social picture measures 1200 × 630 px and is within its size limit",
    async ({ request }) => {
      const bytes = await (await request.get("/og.png")).body();
      expect(imageSize(bytes)).toEqual({ width: 1200, height: 630 });
      expect(bytes.length).toBeLessThanOrEqual(MAX_SOCIAL_IMAGE_BYTES);
    },
  );

  testAtOrigin(
    "the 404 page has noindex and no canonical URL, also if it is opened without a reload",
    async ({ page }) => {
      await open(page, UNKNOWN_PATH);
      const indexing = async () => {
        const { canonical, metas } = await readHead(page);
        return { canonical, url: metas["og:url"], robots: metas.robots };
      };
      const ofUnknownPath = { canonical: undefined, url: undefined, robots: "noindex" };
      expect(await indexing()).toEqual(ofUnknownPath);
      await page.getByRole("link", { name: "Return to Home" }).click();
      const home = `${ORIGIN}/`;
      await expect.poll(indexing).toEqual({ canonical: home, url: home, robots: undefined });
      await page.goBack();
      await expect.poll(indexing).toEqual(ofUnknownPath);
    },
  );

  testAtOrigin(
    "a followed link updates the canonical URL and the social metadata",
    async ({ page }) => {
      await open(page, "/");
      const home = await readHead(page);
      await page.getByRole("banner").getByRole("link", { name: "Privacy" }).click();
      await expect.poll(async () => (await readHead(page)).canonical).toBe(`${ORIGIN}/privacy`);
      const { title, metas } = await readHead(page);
      expect(title).not.toBe(home.title);
      expect(metas.description).not.toBe(home.metas.description);
      expect(metas).toEqual({
        ...home.metas,
        description: metas.description,
        "og:title": title,
        "og:description": metas.description,
        "og:url": `${ORIGIN}/privacy`,
      });
    },
  );

  testAtOrigin(
    "JSON-LD describes the app and its publisher, without ratings, offers or foreign URLs",
    async ({ page }) => {
      await open(page, "/");
      const { things: described } = await readHead(page);
      const app = described.find((thing) => thing["@type"] === "MobileApplication");
      const organization = described.find((thing) => thing["@type"] === "Organization");
      expect(app).toMatchObject({ name: APP_NAME, description: expect.stringMatching(/recipe/i) });
      expect(organization).toMatchObject({ name: APP_NAME });
      expect(JSON.stringify(described)).not.toMatch(/rating|review|price|offer|award|download/i);
      const addresses = JSON.stringify(described).match(/https?:\/\/[^"]+/g) ?? [];
      const foreign = addresses.filter(
        (link) => !link.startsWith(ORIGIN) && !/schema\.org/.test(link),
      );
      expect(foreign).toEqual([]);
    },
  );
});
