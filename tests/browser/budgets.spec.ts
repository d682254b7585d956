// PAGE-35: bytes and requests of a visit.

import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "@playwright/test";
import { expect, ORIGIN, test } from "./fixtures.ts";
import { waitForHydration } from "./page/hydration.ts";
import { Traffic, type Transfer } from "./page/traffic.ts";
import { PAGES, ROUTES } from "./site/specification.ts";

/** Limits for a first visit. Bytes are counted on the wire; 1 kB is 1,000 bytes. */
const BUDGET = {
  landingBytes: 111_000,
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

for (const { site, siteOptions } of [
  { site: "with an origin", siteOptions: ["--origin", ORIGIN] },
  {
    site: "with stores, a long name, an address and an origin",
    siteOptions: [
      ...["--app-store-url", "https://apps.apple.com/gb/app/grandmothers-recipes/id1234567890"],
      ...["--play-store-url", "https://play.google.com/store/apps/details?id=app.grandmothers"],
      ...["--app-name", "Grandmother's Recipe Collection & Co"],
      ...["--support-email", "feedback-and-support@grandmothers-recipes.example"],
      ...["--origin", "https://www.grandmothers-recipe-collection.example"],
    ],
  },
]) {
  test.describe(site, () => {
    test.use({ siteOptions });

    test("a first visit to the landing page stays within its budgets", async ({
      page,
      baseURL,
    }) => {
      // Browsers request it for their window, but a headless one does not.
      const path = "/site.webmanifest";
      const { length } = await rawResponse(baseURL ?? "", path, "gzip");
      const manifest = { path, type: "Other", encoding: "gzip", bytes: length };
      const transfers = [...(await firstVisit(page, "/")), manifest];
      const listing = transfers
        .map((transfer) => `${transfer.bytes} ${transfer.encoding ?? "-"} ${transfer.path}`)
        .join("\n");
      const total = transfers.reduce((sum, transfer) => sum + transfer.bytes, 0);
      expect(total, listing).toBeLessThanOrEqual(BUDGET.landingBytes);
      expect(transfers.length, listing).toBeLessThanOrEqual(BUDGET.landingRequests);
    });

    test("each page in gzip fits into the first round trip", async ({ baseURL }) => {
      for (const path of PAGES) {
        const bytes = await rawResponse(baseURL ?? "", path, "gzip");
        const head = /^HTTP\/1\.1 (200|404) [\s\S]*?content-encoding: gzip/i;
        expect(bytes.toString("latin1"), path).toMatch(head);
        expect(bytes.length, path).toBeLessThanOrEqual(BUDGET.documentBytes);
      }
    });
  });
}

for (const { path } of ROUTES) {
  test(`the scripts of ${path} stay within their budget, and nothing blocks its first paint`, async ({
    page,
  }) => {
    const scripts = (await firstVisit(page, path)).filter((transfer) => transfer.type === "Script");
    expect(new Set(scripts.map((script) => script.encoding))).toEqual(new Set(["br"]));
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(BUDGET.scriptBytes);
    const statuses = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(
          (entry) => (entry as unknown as { renderBlockingStatus: string }).renderBlockingStatus,
        ),
    );
    expect(new Set(statuses)).toEqual(new Set(["non-blocking"]));
    await expect(page.locator("link[rel=stylesheet]")).toHaveCount(0);
  });
}

for (const { width, shape } of [
  { width: 559, shape: "narrow" },
  { width: 560, shape: "wide" },
]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`a first visit loads one picture, ${shape} and ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const pictures = (await firstVisit(page, "/")).filter(({ path }) => path.endsWith(".svg"));
      const name = expect.stringMatching(`^/hero-${shape}-${colorScheme}\\.`);
      expect(pictures.map(({ path }) => path)).toEqual([name]);
      const box = await page.locator("main img").boundingBox();
      expect(Math.round(box?.width ?? 0) === width).toBe(shape === "narrow");
    });
  }
}

test("a second visit loads the files with a hash in their names from the cache", async ({
  page,
}) => {
  const traffic = await Traffic.of(page);
  await visit(page, traffic, "/");
  for (const path of ["/privacy", "/"]) {
    const transfers = await visit(page, traffic, path);
    const hashed = transfers.filter((transfer) => HASHED.test(transfer.path));
    expect(hashed, path).not.toEqual([]);
    const loaded = hashed.filter(({ bytes }) => bytes > 0);
    expect(loaded, path).toEqual([]);
  }
});
