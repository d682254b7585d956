// PAGE-24, PAGE-26, PAGE-27: web manifest, icons and files for programs.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";
import { APP_NAME } from "./site/specification.ts";

test("the document links to icons and manifest", async ({ page }) => {
  await open(page, "/");
  const links = page.locator("link:is([rel=icon], [rel=apple-touch-icon], [rel=manifest])");
  const found = await links.evaluateAll((all) =>
    (all as HTMLLinkElement[]).map((link) =>
      [link.rel, link.getAttribute("href")?.split(",")[0], link.crossOrigin].join(" "),
    ),
  );
  // The credentials of the visitor get the manifest of a site behind Basic authentication.
  expect(found).toEqual([
    "icon data:image/svg+xml ",
    "icon /favicon.ico ",
    "apple-touch-icon /apple-touch-icon.png ",
    "manifest /site.webmanifest use-credentials",
  ]);
});

test("the browser accepts the web manifest", async ({ page, context, request }) => {
  const color = expect.stringMatching(/^#[0-9a-f]{6}$/i);
  expect(await (await request.get("/site.webmanifest")).json()).toMatchObject({
    name: APP_NAME,
    short_name: APP_NAME,
    start_url: "/",
    theme_color: color,
    background_color: color,
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  });
  await open(page, "/");
  const session = await context.newCDPSession(page);
  expect((await session.send("Page.getAppManifest")).errors).toEqual([]);
});

test("icons and social picture have their sizes, and at most 100,000 bytes", async ({
  request,
}) => {
  for (const [path, ...sizes] of [
    ["/apple-touch-icon.png", 180, 180],
    ["/icon-192.png", 192, 192],
    ["/icon-512.png", 512, 512],
    ["/icon-maskable-512.png", 512, 512],
    // PAGE-24
    ["/og.png", 1200, 630],
    ["/favicon.ico", 16, 32, 48],
  ] as const) {
    const bytes = await (await request.get(path)).body();
    expect(bytes.length).toBeLessThanOrEqual(100_000);
    const found = path.endsWith(".ico")
      ? Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => bytes[6 + index * 16])
      : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    expect(found, path).toEqual(sizes);
  }
});

test("robots.txt, llms.txt and security.txt have what they promise", async ({ request }) => {
  const text = async (path: string) => (await request.get(path)).text();
  expect(await text("/robots.txt")).toBe("User-agent: *\nAllow: /\n");
  expect(await text("/llms.txt")).toContain(`# ${APP_NAME}\n\n> `);
  const security = await text("/.well-known/security.txt");
  const expires = /^Expires: (\S+)$/m.exec(security)?.[1] ?? "";
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(0);
  expect(days).toBeLessThan(366);
});
