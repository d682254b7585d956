// PAGE-35: recording of responses and their bytes.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { testOnNewPage as base, expect } from "./fixtures.ts";
import { Traffic } from "./page/traffic.ts";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`;

/** Pages that request one picture in different ways; the server delays the picture. */
const PAGES: Readonly<Record<string, string>> = {
  "/once": `<img src="/picture">`,
  "/again": `<img src="/picture"><script>
    onload = () => (document.body.appendChild(document.createElement("iframe")).src = "/once");
  </script>`,
  "/twice": `<img src="/picture?first"><img src="/picture?second">`,
  "/below": `<p style="height: 100000px"></p><img src="/picture" loading="lazy">`,
};
const PICTURE_DELAY_MS = 300;

const test = base.extend<{ pages: string }>({
  pages: async ({}, use) => {
    const server = createServer((request, response) => {
      const page = PAGES[request.url ?? ""];
      if (page !== undefined) {
        response.setHeader("Content-Type", "text/html").end(`<link rel=icon href=data:,>${page}`);
      } else {
        response.setHeader("Content-Type", "image/svg+xml");
        response.setHeader("Cache-Control", "max-age=60");
        setTimeout(() => response.end(DRAWING), PICTURE_DELAY_MS);
      }
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
  },
  baseURL: async ({ pages }, use) => use(pages),
});

for (const { picture, path, responses, transfers } of [
  {
    picture: "a picture that is loaded again from the cache",
    path: "/again",
    responses: 2,
    transfers: 1,
  },
  { picture: "a picture that is downloaded twice", path: "/twice", responses: 2, transfers: 2 },
  { picture: "a lazy picture below the fold", path: "/below", responses: 1, transfers: 1 },
]) {
  test(`responses recorded for ${picture}: ${responses}, of which from the network: ${transfers}`, async ({
    page,
  }) => {
    const traffic = await Traffic.of(page);
    await page.goto(path);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const pictures = (await traffic.complete()).filter((transfer) => transfer.path === "/picture");
    expect(pictures).toHaveLength(responses);
    expect(pictures.filter((transfer) => transfer.bytes > 0)).toHaveLength(transfers);
  });
}
