// WIRE-22, WIRE-30: the browser negotiates HTTP/2 and receives every response over it.

import { test as base, expect } from "./fixtures.ts";
import { open } from "./page/hydration.ts";
import { Traffic } from "./page/traffic.ts";
import { type Site, startSiteWithHttps } from "./site/executable.ts";
import { PAGES } from "./site/specification.ts";

const test = base.extend<{ siteWithHttps: Site }>({
  siteWithHttps: async ({}, use) => {
    const site = await startSiteWithHttps();
    await use(site);
    await site.stop();
  },
  baseURL: async ({ siteWithHttps }, use) => use(siteWithHttps.url),
});

// No authority has issued the certificate.
test.use({ ignoreHTTPSErrors: true });

for (const path of PAGES) {
  test(`${path} and all its files arrive over HTTP/2`, async ({ page }) => {
    const traffic = await Traffic.of(page);
    await open(page, path);
    const responses = await traffic.complete();
    expect(responses.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["Document", "Script"]),
    );
    const protocols = () =>
      page.evaluate(() =>
        performance
          .getEntries()
          .filter((entry) => entry instanceof PerformanceResourceTiming)
          .map(({ name, nextHopProtocol }) => [new URL(name).pathname, nextHopProtocol]),
      );
    const expected = Object.fromEntries(responses.map((response) => [response.path, "h2"]));
    // An entry may be added after the end of its response.
    await expect.poll(async () => Object.fromEntries(await protocols())).toEqual(expected);
  });
}

test("the browser, which prefers X25519MLKEM768, gets this key exchange", async ({
  page,
  context,
}) => {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const document = new Promise<string | undefined>((resolve) => {
    session.once("Network.responseReceived", ({ response }) =>
      resolve(response.securityDetails?.keyExchangeGroup),
    );
  });
  await open(page, "/");
  expect(await document).toBe("X25519MLKEM768");
  // WIRE-22: over HTTPS, pages are isolated from other origins.
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});
