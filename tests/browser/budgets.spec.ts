// PAGE-35: bytes and requests of a visit.

import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_COMPLAINT } from "./page/complaints.ts";
import { hydrated } from "./page/hydration.ts";
import { Traffic, type Transfer } from "./page/traffic.ts";
import { PAGES, ROUTES } from "./site/specification.ts";

/** What a first visit may cost on the wire; 1 kB is 1,000 bytes. */
const BUDGET = {
  landingBytes: 110_000,
  /** Seven, because the start script, 0.8 kB, is a file of its own (DECISION-38). */
  landingRequests: 7,
  scriptBytes: 75_000,
  /** What TCP sends before it waits for the first acknowledgement. */
  documentBytes: 14_000,
} as const;

/** Loads a page completely and returns the responses, cached ones included. */
async function visit(page: Page, traffic: Traffic, path: string): Promise<Transfer[]> {
  traffic.restart();
  await page.goto(path);
  await hydrated(page);
  // The pictures below the fold count too.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  return traffic.complete();
}

/** Loads a page with an empty cache and returns the responses that came over the network. */
async function firstVisit(page: Page, path: string): Promise<Transfer[]> {
  const traffic = await Traffic.of(page);
  await traffic.emptyCache();
  return (await visit(page, traffic, path)).filter((one) => one.bytes > 0);
}

/**
 * Resources that a browser requests for its window, at any time or (headless) not at all: the
 * manifest, and one icon, the SVG where there is one.
 */
async function extras(page: Page): Promise<Transfer[]> {
  const icon = page.locator("link[rel~=icon]").and(page.locator("[type='image/svg+xml']"));
  const links = icon.or(page.locator("link[rel=manifest]"));
  const paths = await links.evaluateAll((all) =>
    all.map((link) => link.getAttribute("href") ?? ""),
  );
  return Promise.all(
    paths.map(async (path) => {
      const bytes = (await answer(page.url(), path, "br")).length;
      return { path, type: "Other", encoding: "br", bytes };
    }),
  );
}

/** Every byte that the server sends in answer to one request. */
async function answer(site: string, path: string, coding: string): Promise<Buffer> {
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

/** A name that carries a hash, such as main.0a1b2c3d.js. */
const HASHED = /\.[0-9a-f]{8}\.\w+$/;

test.beforeEach(({ complaints }) => {
  complaints.expect(UNKNOWN_PATH_COMPLAINT);
});

test("a first visit to the landing page stays within its bytes and requests", async ({ page }) => {
  const loaded = await firstVisit(page, "/");
  const known = new Set(loaded.map((one) => one.path));
  const transfers = [...loaded, ...(await extras(page)).filter((one) => !known.has(one.path))];
  const listing = transfers
    .map((one) => `${one.bytes} ${one.encoding ?? "-"} ${one.path}`)
    .join("\n");
  const total = transfers.reduce((sum, one) => sum + one.bytes, 0);
  expect(total, listing).toBeLessThanOrEqual(BUDGET.landingBytes);
  expect(transfers.length, listing).toBeLessThanOrEqual(BUDGET.landingRequests);
});

for (const { path } of ROUTES) {
  test(`${path} needs no more script than the budget allows, in Brotli`, async ({ page }) => {
    const scripts = (await firstVisit(page, path)).filter((one) => one.type === "Script");
    expect(scripts.map((script) => script.encoding)).toEqual(scripts.map(() => "br"));
    const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(BUDGET.scriptBytes);
  });

  test(`nothing but the HTML of ${path} blocks its first paint`, async ({ page }) => {
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

for (const path of PAGES) {
  test(`the answer for ${path} fits the first round trip in gzip, headers included`, async ({
    baseURL,
  }) => {
    const bytes = await answer(baseURL ?? "", path, "gzip");
    expect(bytes.toString("latin1")).toMatch(
      /^HTTP\/1\.1 (200|404) [\s\S]*?content-encoding: gzip/i,
    );
    expect(bytes.length).toBeLessThanOrEqual(BUDGET.documentBytes);
  });
}

test("a second visit takes whatever carries a hash in its name from the cache", async ({
  page,
}) => {
  const traffic = await Traffic.of(page);
  await traffic.emptyCache();
  await visit(page, traffic, "/");
  for (const path of ["/privacy", "/"]) {
    const named = (await visit(page, traffic, path)).filter((one) => HASHED.test(one.path));
    expect(named, path).not.toEqual([]);
    expect(
      named.filter((one) => one.bytes > 0),
      path,
    ).toEqual([]);
  }
});
