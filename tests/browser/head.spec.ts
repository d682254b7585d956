// PAGE-23, PAGE-24, PAGE-25: the head of the documents.

import { expect, test } from "./fixtures.ts";
import { readHead } from "./page/contents.ts";
import { open } from "./page/loading.ts";
import { ORIGIN } from "./site/sites.ts";
import { APP_NAME, PAGES, ROUTES, SUPPORT_EMAIL, UNKNOWN_PATH } from "./site/specification.ts";

test("the head of each page describes it", async ({ page }) => {
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  for (const path of PAGES) {
    const html = await (await open(page, path)).text();
    expect(html.slice(0, 1024)).toMatch(/<meta charset="?utf-8"?/i);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    const { title, metas } = await page.evaluate(readHead);
    const { description = "" } = metas;
    expect(title).toContain(APP_NAME);
    expect(title.length).toBeLessThanOrEqual(70);
    // Search engines do not show the 404 page, so its description can be short.
    expect(description.length).toBeGreaterThanOrEqual(path === UNKNOWN_PATH ? 1 : 50);
    expect(description.length).toBeLessThanOrEqual(160);
    expect(metas.viewport).toMatch(/width=device-width/);
    expect(metas.viewport).not.toMatch(/maximum-scale|user-scalable/);
    expect(metas["format-detection"]).toMatch(/date=no/);
    expect(metas["theme-color (prefers-color-scheme: light)"]).toBeTruthy();
    expect(metas["theme-color (prefers-color-scheme: dark)"]).toBeTruthy();
    // Without an origin, a large card would have no picture.
    expect([metas["og:image"], metas["twitter:card"]]).toEqual([undefined, undefined]);
    titles.add(title);
    descriptions.add(description);
  }
  expect(titles.size).toBe(PAGES.length);
  expect(descriptions.size).toBe(PAGES.length);
});

test.describe("with an origin", { tag: "@origin" }, () => {
  test("each head has a canonical URL and social metadata", async ({ page }) => {
    await open(page, "/");
    const headline = await page.locator("h1").innerText();
    for (const path of ROUTES) {
      await open(page, path);
      const { title, metas, canonical } = await page.evaluate(readHead);
      expect(canonical).toBe(`${ORIGIN}${path}`);
      expect(metas).toMatchObject({
        "og:url": canonical,
        "og:title": title,
        "og:description": metas.description,
        "og:type": "website",
        "og:site_name": APP_NAME,
        "og:image": `${ORIGIN}/og.png`,
        "og:image:alt": expect.stringContaining(headline),
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
        "twitter:image:alt": metas["og:image:alt"],
      });
      expect(metas.robots).toBeUndefined();
    }
  });

  test("the 404 page has noindex and no canonical URL", async ({ page }) => {
    await open(page, UNKNOWN_PATH);
    const { canonical, metas } = await page.evaluate(readHead);
    expect([canonical, metas["og:url"], metas.robots]).toEqual([undefined, undefined, "noindex"]);
  });

  test("JSON-LD describes the site without ratings or prices", async ({ page }) => {
    await open(page, "/");
    const text = await page.locator("script[type='application/ld+json']").innerText();
    // Without the site, Google shows the domain in place of the name; an app without an offer is an error for it.
    expect(JSON.parse(text)["@graph"]).toMatchObject([
      { "@type": "Organization", name: APP_NAME, email: SUPPORT_EMAIL, url: `${ORIGIN}/` },
      { "@type": "WebSite", name: APP_NAME, url: `${ORIGIN}/` },
    ]);
    expect(text).not.toMatch(/rating|review|price|offer|award|download/i);
  });
});
