// PAGE-26, PAGE-27: web manifest, icons and files for programs.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/hydration.ts";
import { iconSizes, imageSize } from "./page/image-size.ts";
import { ORIGIN } from "./site/sites.ts";
import { APP_NAME, ROUTES, SUPPORT_EMAIL } from "./site/specification.ts";

interface Manifest {
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

test("the web manifest has the name of the app, its colours and its icons, and the browser accepts it", async ({
  page,
  context,
  request,
}) => {
  const response = await request.get("/site.webmanifest");
  expect(response.headers()["content-type"]).toBe("application/manifest+json; charset=utf-8");
  const color = expect.stringMatching(/^#[0-9a-f]{6}$/i);
  const manifest = (await response.json()) as Manifest;
  expect(manifest).toMatchObject({
    name: APP_NAME,
    short_name: APP_NAME,
    start_url: "/",
    theme_color: color,
    background_color: color,
  });
  const { icons } = manifest;
  for (const { src, type } of icons) {
    const charset = type === "image/svg+xml" ? "; charset=utf-8" : "";
    const icon = await request.get(src);
    expect(icon.headers()["content-type"], src).toBe(`${type}${charset}`);
  }
  expect(icons.map(({ src, sizes }) => `${src} ${sizes}`)).toEqual([
    "/icon.svg any",
    "/icon-192.png 192x192",
    "/icon-512.png 512x512",
    "/icon-maskable-512.png 512x512",
  ]);
  expect(icons.at(-1)?.purpose).toBe("maskable");
  await open(page, "/");
  const session = await context.newCDPSession(page);
  expect((await session.send("Page.getAppManifest")).errors).toEqual([]);
});

for (const { path, type, sizes } of [
  { path: "/apple-touch-icon.png", type: "image/png", sizes: ["180x180"] },
  { path: "/icon-192.png", type: "image/png", sizes: ["192x192"] },
  { path: "/icon-512.png", type: "image/png", sizes: ["512x512"] },
  { path: "/icon-maskable-512.png", type: "image/png", sizes: ["512x512"] },
  // The social picture (PAGE-24).
  { path: "/og.png", type: "image/png", sizes: ["1200x630"] },
  { path: "/favicon.ico", type: "image/vnd.microsoft.icon", sizes: ["16x16", "32x32", "48x48"] },
]) {
  test(`${path} is ${sizes.join(" and ")}, in at most 100,000 bytes`, async ({ request }) => {
    const response = await request.get(path);
    expect(response.headers()["content-type"]).toBe(type);
    const bytes = await response.body();
    expect(bytes.length).toBeLessThanOrEqual(100_000);
    const found = path.endsWith(".ico") ? iconSizes(bytes) : [imageSize(bytes)];
    expect(found.map(({ width, height }) => `${width}x${height}`)).toEqual(sizes);
  });
}

test("robots.txt allows every crawler", async ({ request }) => {
  const text = await (await request.get("/robots.txt")).text();
  expect(text).toMatch(/^User-agent: \*$/m);
  expect(text).not.toMatch(/^Disallow: *\S|Sitemap/im);
});

test("llms.txt is Markdown with name, summary and links", async ({ request }) => {
  const response = await request.get("/llms.txt");
  expect(response.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text.match(/^# .*$/gm)).toEqual([`# ${APP_NAME}`]);
  expect(text).toMatch(/^> \S/m);
  for (const path of ROUTES) expect(text).toMatch(new RegExp(`\\]\\(${path}\\)`));
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

test("with an origin, the sitemap lists every route and nothing else", { tag: "@origin" }, async ({
  request,
}) => {
  const response = await request.get("/sitemap.xml");
  expect(response.headers()["content-type"]).toBe("text/xml; charset=utf-8");
  const listed = [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    (match) => match[1],
  );
  expect(listed).toEqual(ROUTES.map((path) => `${ORIGIN}${path}`));
});
