// PAGE-35: bytes and requests of a visit.

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Page, Request } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { boxOf } from "./page/layout.ts";
import { open } from "./page/loading.ts";
import { HAS_DRAWING, PAGES } from "./site/specification.ts";

/** Loads a page completely, with an empty cache. Returns its requests. */
async function visit(page: Page, path: string): Promise<Request[]> {
  await open(page, path);
  await page.waitForLoadState("networkidle");
  return (await page.requests()).filter((request) => request.url().startsWith("http"));
}

async function received(request: Request): Promise<number> {
  const { responseHeadersSize, responseBodySize } = await request.sizes();
  return responseHeadersSize + responseBodySize;
}

/** The bytes of the complete response to a browser that accepts only gzip. */
async function bytesInGzip(url: URL): Promise<number> {
  const headers = { Accept: "text/html,*/*", "Accept-Encoding": "gzip" };
  const [response] = (await once(get(url, { headers, agent: false }), "response")) as [
    IncomingMessage,
  ];
  await once(response.resume(), "end");
  expect(response.headers["content-encoding"]).toBe("gzip");
  return response.socket.bytesRead;
}

const sum = (all: number[]) => all.reduce((sum, each) => sum + each, 0);

/** A file name with a hash, such as ui.0a1b2c3d.js. */
const HASHED = /\.[0-9a-f]{8}\.\w+$/;

// With every setting, because each adds bytes.
test("a first visit and each page stay within their budgets", { tag: "@full" }, async ({
  page,
  baseURL,
}) => {
  const requests = await visit(page, "/");
  const scripts = requests.filter((request) => request.resourceType() === "script");
  expect(scripts.length).toBeGreaterThan(1);
  expect(sum(await Promise.all(scripts.map(received)))).toBeLessThanOrEqual(75_000);
  const bytes = await Promise.all(requests.map(received));
  // Browsers request it for their window, but a headless one does not.
  bytes.push(await bytesInGzip(new URL("/site.webmanifest", baseURL)));
  const listing = requests.map((request, index) => `${bytes[index]} ${request.url()}`).join("\n");
  // A photograph has up to 60 kB, the drawing 13 kB.
  expect(sum(bytes), listing).toBeLessThanOrEqual(HAS_DRAWING ? 111_000 : 160_000);
  expect(bytes.length, listing).toBeLessThanOrEqual(7);
  // The initial congestion window of TCP has about 14,600 bytes (RFC 6928).
  for (const path of PAGES) {
    const bytes = await bytesInGzip(new URL(path, baseURL));
    expect(bytes, path).toBeLessThanOrEqual(14_000);
  }
  const resources = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => entry.toJSON()),
  );
  for (const each of resources) expect(each.renderBlockingStatus, each.name).toBe("non-blocking");
});

for (const [width, shape] of [
  [559, "narrow"],
  [560, "wide"],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`a first visit loads one picture: ${shape}, ${colorScheme}`, {
      tag: "@drawing",
    }, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const pictures = (await visit(page, "/")).filter((request) => request.url().endsWith(".svg"));
      const name = expect.stringMatching(`/hero-${shape}-${colorScheme}\\.`);
      expect(pictures.map((request) => request.url())).toEqual([name]);
      const box = await boxOf(page.locator("main img"));
      expect(Math.round(box.width) === width).toBe(shape === "narrow");
    });
  }
}

test("a second visit loads files with a hash from the cache", async ({ page }) => {
  await visit(page, "/");
  for (const path of ["/privacy", "/"]) {
    await open(page, path);
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map((entry) => entry.toJSON()),
    );
    const hashed = loaded.filter(({ name }) => HASHED.test(name));
    expect(hashed, path).not.toEqual([]);
    for (const { name, transferSize } of hashed) expect(transferSize, name).toBe(0);
  }
});
