// PAGE-35: bytes and requests of a visit.

import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "@playwright/test";
import { expect, testOnNewPage as test } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { waitForHydration } from "./page/hydration.ts";
import { Traffic, type Transfer } from "./page/traffic.ts";
import { PAGES, ROUTES } from "./site/specification.ts";

/** Limits for a first visit. Bytes are counted on the wire; 1 kB is 1,000 bytes. */
const BUDGET = {
  landingBytes: 110_000,
  /** Pages that settings change have no Brotli variant. */
  landingBytesAtOrigin: 111_000,
  /** Includes two scripts, and the manifest, which follows the first paint. */
  landingRequests: 7,
  scriptBytes: 75_000,
  /** Below the initial congestion window of TCP, about 14,600 bytes (RFC 6928). */
  documentBytes: 14_000,
} as const;

/** Loads a page completely. Returns the responses, cached ones included. */
async function visit(page: Page, traffic: Traffic, path: string): Promise<Transfer[]> {
  traffic.restart();
  await page.goto(path);
  await waitForHydration(page);
  // Lazy pictures below the fold are loaded after scrolling.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  return traffic.complete();
}

/** Loads a page with an empty cache. Returns the responses from the network. */
async function firstVisit(page: Page, path: string): Promise<Transfer[]> {
  const traffic = await Traffic.of(page);
  await traffic.emptyCache();
  return (await visit(page, traffic, path)).filter((transfer) => transfer.bytes > 0);
}

/** The complete response to one request, as raw bytes. */
async function rawResponse(site: string, path: string, coding: string): Promise<Buffer> {
  const { hostname, port, host } = new URL(site);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html,*/*\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
  );
  await once(socket, "close");
  return Buffer.concat(chunks);
}

/** A file name with a hash, such as ui.0a1b2c3d.js. */
const HASHED = /\.[0-9a-f]{8}\.\w+$/;

test.beforeEach(({ browserErrors }) => {
  browserErrors.expect(UNKNOWN_PATH_ERROR);
});

const testAtOrigin = test.extend({
  baseURL: async ({ siteAtOrigin }, use) => use(siteAtOrigin.url),
});

const SITES = [
  { site: "with the default settings", testAt: test, landingBytes: BUDGET.landingBytes },
  { site: "with an origin", testAt: testAtOrigin, landingBytes: BUDGET.landingBytesAtOrigin },
];

for (const { site, testAt, landingBytes } of SITES) {
  testAt(
    `a first visit to the landing page stays within its budgets for bytes and requests ${site}`,
    async ({ page, baseURL }) => {
      // Browsers request it for their window, but a headless one does not.
      const path = "/site.webmanifest";
      const { length } = await rawResponse(baseURL ?? "", path, "br");
      const manifest = { path, type: "Other", encoding: "br", bytes: length };
      const transfers = [...(await firstVisit(page, "/")), manifest];
      const listing = transfers
        .map((transfer) => `${transfer.bytes} ${transfer.encoding ?? "-"} ${transfer.path}`)
        .join("\n");
      const total = transfers.reduce((sum, transfer) => sum + transfer.bytes, 0);
      expect(total, listing).toBeLessThanOrEqual(landingBytes);
      expect(transfers.length, listing).toBeLessThanOrEqual(BUDGET.landingRequests);
    },
  );

  for (const path of PAGES) {
    testAt(
      `the response for ${path} in gzip fits into the first round trip, header fields included, ${site}`,
      async ({ baseURL }) => {
        const bytes = await rawResponse(baseURL ?? "", path, "gzip");
        expect(bytes.toString("latin1")).toMatch(
          /^HTTP\/1\.1 (200|404) [\s\S]*?content-encoding: gzip/i,
        );
        expect(bytes.length).toBeLessThanOrEqual(BUDGET.documentBytes);
      },
    );
  }
}

for (const { path } of ROUTES) {
  test(`the scripts of ${path} in Brotli stay within their budget`, async ({ page }) => {
    const scripts = (await firstVisit(page, path)).filter((transfer) => transfer.type === "Script");
    expect(scripts.map((script) => script.encoding)).toEqual(scripts.map(() => "br"));
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(BUDGET.scriptBytes);
  });

  test(`no resource of ${path} blocks its first paint`, async ({ page }) => {
    await firstVisit(page, path);
    const entries = await page.evaluate(() =>
      performance.getEntriesByType("resource").map((entry) => ({
        name: entry.name,
        status: (entry as unknown as { renderBlockingStatus: string }).renderBlockingStatus,
      })),
    );
    expect(entries).not.toEqual([]);
    expect(entries.filter(({ status }) => status !== "non-blocking")).toEqual([]);
    await expect(page.locator("link[rel=stylesheet]")).toHaveCount(0);
  });
}

for (const { width, shape, colorScheme } of [
  { width: 390, shape: "narrow", colorScheme: "light" },
  { width: 390, shape: "narrow", colorScheme: "dark" },
  { width: 1440, shape: "wide", colorScheme: "light" },
  { width: 1440, shape: "wide", colorScheme: "dark" },
] as const) {
  test(`a first visit at ${width} px in the ${colorScheme} scheme loads one picture, the one for it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    const pictures = (await firstVisit(page, "/")).filter(({ path }) => path.endsWith(".svg"));
    expect(pictures.map(({ path }) => path)).toEqual([
      expect.stringMatching(`^/hero-${shape}-${colorScheme}\\.`),
    ]);
  });
}

test("a second visit loads the files with a hash in their names from the cache", async ({
  page,
}) => {
  const traffic = await Traffic.of(page);
  await traffic.emptyCache();
  await visit(page, traffic, "/");
  for (const path of ["/privacy", "/"]) {
    const hashed = (await visit(page, traffic, path)).filter((transfer) =>
      HASHED.test(transfer.path),
    );
    expect(hashed, path).not.toEqual([]);
    expect(
      hashed.filter((transfer) => transfer.bytes > 0),
      path,
    ).toEqual([]);
  }
});
