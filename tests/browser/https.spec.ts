// WIRE-22, WIRE-30: the browser negotiates HTTP/2 and receives every response over it.

import { expect, test } from "./fixtures.ts";
import { open } from "./page/loading.ts";

test.describe("over HTTPS", { tag: "@https" }, () => {
  test("a page and all its files arrive over HTTP/2", async ({ page }) => {
    await open(page, "/");
    const protocols = () =>
      page.evaluate(() =>
        performance
          .getEntries()
          .filter((entry) => entry instanceof PerformanceResourceTiming)
          .map(({ name, nextHopProtocol }) => `${nextHopProtocol} ${new URL(name).pathname}`),
      );
    // An entry may be added after the end of its response.
    await expect.poll(protocols).toContainEqual(expect.stringMatching(/\.js$/));
    expect((await protocols()).filter((protocol) => !protocol.startsWith("h2 /"))).toEqual([]);
  });

  test("the browser gets X25519MLKEM768, which it prefers", async ({ page, context }) => {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const document = new Promise<string | undefined>((resolve) => {
      session.once("Network.responseReceived", ({ response }) =>
        resolve(response.securityDetails?.keyExchangeGroup),
      );
    });
    await open(page, "/");
    expect(await document).toBe("X25519MLKEM768");
  });
});
