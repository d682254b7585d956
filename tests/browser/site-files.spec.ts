// PAGE-26, PAGE-27: web manifest, icons and files for programs.

import { expect, ORIGIN, test, testAtOrigin, testOnNewPage } from "./fixtures.ts";
import { open } from "./page/hydration.ts";
import { iconSizes, imageSize } from "./page/image-size.ts";
import { APP_NAME, ROUTES, SUPPORT_EMAIL } from "./site/specification.ts";

interface Manifest {
  name: string;
  short_name: string;
  start_url: string;
  display: string;
  theme_color: string;
  background_color: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}

const WINDOW_LINKS = [
  "icon data:image/svg+xml",
  "icon /favicon.ico",
  "apple-touch-icon /apple-touch-icon.png",
  "manifest /site.webmanifest",
];

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("the document links exactly once to each of its icons and to the manifest", async ({
      page,
    }) => {
      if (javaScriptEnabled) await open(page, "/");
      else await page.goto("/");
      const links = page.locator(
        WINDOW_LINKS.map((link) => `link[rel=${link.split(" ")[0]}]`).join(),
      );
      const found = await links.evaluateAll((all) =>
        all.map(
          (link) => `${link.getAttribute("rel")} ${link.getAttribute("href")?.split(",")[0]}`,
        ),
      );
      expect(found).toEqual(WINDOW_LINKS);
    });
  });
}

test("the document links to no icon file and no manifest, which would be requested before the first paint", async ({
  page,
}) => {
  const html = await (await page.request.get("/")).text();
  const outsideOfNoscript = html.replace(/<noscript>.*?<\/noscript>/gs, "");
  expect(outsideOfNoscript).not.toMatch(
    /<link rel="(icon|apple-touch-icon|manifest)" href="(?!data:)/,
  );
});

test.describe("the web manifest", () => {
  test("has the name of the app and its colours", async ({ page }) => {
    await open(page, "/");
    const link = await page.locator("link[rel=manifest]").getAttribute("href");
    const response = await page.request.get(link ?? "");
    expect(response.headers()["content-type"]).toMatch(/^application\/manifest\+json/);
    const manifest = (await response.json()) as Manifest;
    expect(manifest).toMatchObject({ name: APP_NAME, short_name: APP_NAME, start_url: "/" });
    expect(manifest.theme_color).toMatch(/^#[0-9a-f]{6}$/i);
    expect(manifest.background_color).toMatch(/^#[0-9a-f]{6}$/i);
  });

  test("lists icons with their real sizes, one of them maskable", async ({ request }) => {
    const { icons } = (await (await request.get("/site.webmanifest")).json()) as Manifest;
    for (const { src, sizes, type } of icons) {
      const response = await request.get(new URL(src, "http://site/site.webmanifest").pathname);
      expect(response.status(), src).toBe(200);
      expect(response.headers()["content-type"], src).toContain(type);
      if (type !== "image/png") continue;
      const { width, height } = imageSize(await response.body());
      expect(`${width}x${height}`, src).toBe(sizes);
    }
    expect(icons.map((icon) => icon.sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
    expect(icons.map((icon) => icon.purpose)).toContain("maskable");
  });

  testOnNewPage("is accepted by the browser without an error", async ({ page, context }) => {
    await open(page, "/");
    const session = await context.newCDPSession(page);
    const { errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
  });
});

test.describe("icons", () => {
  for (const { path, type, sizes } of [
    { path: "/apple-touch-icon.png", type: "image/png", sizes: ["180x180"] },
    { path: "/icon-192.png", type: "image/png", sizes: ["192x192"] },
    { path: "/icon-512.png", type: "image/png", sizes: ["512x512"] },
    { path: "/icon-maskable-512.png", type: "image/png", sizes: ["512x512"] },
    { path: "/favicon.ico", type: "image/", sizes: ["16x16", "32x32", "48x48"] },
  ]) {
    test(`${path} is ${sizes.join(" and ")}`, async ({ request }) => {
      const response = await request.get(path);
      expect(response.status()).toBe(200);
      expect(response.headers()["content-type"]).toContain(type);
      const bytes = await response.body();
      const found = path.endsWith(".ico") ? iconSizes(bytes) : [imageSize(bytes)];
      expect(found.map(({ width, height }) => `${width}x${height}`)).toEqual(sizes);
    });
  }

  testOnNewPage("icon.svg refers to no other file", async ({ page }) => {
    const response = await page.request.get("/icon.svg");
    expect(response.headers()["content-type"]).toMatch(/^image\/svg\+xml/);
    const source = await response.text();
    const root = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text as string, "text/html");
      return parsed.querySelector("svg")?.getAttribute("viewBox");
    }, source);
    expect(root).toMatch(/^0 0 \d+ \d+$/);
    expect(source).not.toMatch(/<script|<image|href="http|@import|url\(http/i);
  });

  test("every icon of a page exists", async ({ page }) => {
    for (const { path } of ROUTES) {
      await open(page, path);
      const icons = await page
        .locator("link[rel~=icon], link[rel=apple-touch-icon], link[rel=mask-icon]")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      const files = icons.filter((icon) => !icon.startsWith("data:"));
      expect(files.length).toBeGreaterThanOrEqual(2);
      for (const icon of files) expect((await page.request.get(icon)).status(), icon).toBe(200);
    }
  });
});

test.describe("without an origin", () => {
  test("robots.txt allows every crawler and names no sitemap", async ({ request }) => {
    const text = await (await request.get("/robots.txt")).text();
    expect(text).toMatch(/^User-agent: \*$/m);
    expect(text).not.toMatch(/^Disallow: *\S/m);
    expect(text).not.toMatch(/Sitemap/i);
  });

  test("there is no sitemap, because it requires absolute URLs", async ({ request }) => {
    expect((await request.get("/sitemap.xml")).status()).toBe(404);
  });

  test("llms.txt is Markdown: one H1 with the name, a summary and links to the pages", async ({
    request,
  }) => {
    const response = await request.get("/llms.txt");
    expect(response.headers()["content-type"]).toMatch(/^text\/(plain|markdown)/);
    const text = await response.text();
    expect(text.match(/^# .*$/gm)).toEqual([`# ${APP_NAME}`]);
    expect(text).toMatch(/^> \S/m);
    for (const { path } of ROUTES) expect(text).toMatch(new RegExp(`\\]\\(${path}\\)`));
  });

  test("security.txt has a contact and an expiry date (RFC 9116)", async ({ request }) => {
    const response = await request.get("/.well-known/security.txt");
    expect(response.headers()["content-type"]).toBe("text/plain; charset=utf-8");
    const text = await response.text();
    expect(text).toMatch(new RegExp(`^Contact: mailto:${SUPPORT_EMAIL}$`, "m"));
    expect(text).not.toMatch(/^Canonical:/m);
    const expires = [...text.matchAll(/^Expires: (\S+)$/gm)].map((match) => match[1] ?? "");
    expect(expires).toHaveLength(1);
    const days = (Date.parse(expires[0] ?? "") - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0);
    expect(days).toBeLessThan(366);
  });
});

testAtOrigin.describe("with an origin", () => {
  testAtOrigin("robots.txt names the sitemap", async ({ request }) => {
    const text = await (await request.get("/robots.txt")).text();
    expect(text).toMatch(new RegExp(`^Sitemap: ${ORIGIN}/sitemap\\.xml$`, "m"));
  });

  testAtOrigin("the sitemap lists every route and nothing else", async ({ request }) => {
    const response = await request.get("/sitemap.xml");
    expect(response.headers()["content-type"]).toMatch(/^(application|text)\/xml/);
    const listed = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      (match) => match[1],
    );
    expect(listed).toEqual(ROUTES.map(({ path }) => `${ORIGIN}${path}`));
  });

  testAtOrigin("security.txt has its canonical URL", async ({ request }) => {
    const text = await (await request.get("/.well-known/security.txt")).text();
    expect(text).toMatch(new RegExp(`^Canonical: ${ORIGIN}/\\.well-known/security\\.txt$`, "m"));
  });
});
