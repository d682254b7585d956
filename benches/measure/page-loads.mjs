// Loads pages in Chromium on a slow network, each with an empty cache, in turns:
//   node page-loads.mjs ROUNDS URL…
// Prints one line of JSON: by URL, the loads with times in milliseconds.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [rounds, ...urls] = process.argv.slice(2);

const browserTests = new URL("../../tests/browser/", import.meta.url);
const { chromium } = createRequire(new URL("package.json", browserTests))("@playwright/test");
const installed = JSON.parse(readFileSync(new URL("site/chromium.json", browserTests), "utf8"));

/**
 * "Slow 4G" of Lighthouse: a round trip of 150 ms and 1.6 Mbit/s. The factors are those of its
 * DevTools throttling, which delays requests instead of packets.
 */
const SLOW_4G = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || installed.path,
  args: installed.flags,
});
try {
  // Warms up the browser, which does other work after its start.
  await load(urls[0]);
  const loads = Object.fromEntries(urls.map((url) => [url, []]));
  for (let round = 1; round <= Number(rounds); round += 1) {
    for (const url of urls) {
      console.error(`round ${round} of ${rounds}: ${url}`);
      loads[url].push(await load(url));
    }
  }
  console.log(JSON.stringify({ version: browser.version(), loads }));
} finally {
  await browser.close();
}

async function load(url) {
  // No authority has signed the certificate of the run.
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    let [bytes, requests] = [0, 0];
    devTools.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", SLOW_4G);
    await page.goto(url, { waitUntil: "networkidle" });
    return { ...(await page.evaluate(paints)), bytes, requests };
  } finally {
    await context.close();
  }
}

/** In the page: the times of the first and of the largest paint. */
function paints() {
  return new Promise((resolve) => {
    const [first] = performance.getEntriesByName("first-contentful-paint");
    new PerformanceObserver((list) => {
      resolve({ first: first.startTime, largest: list.getEntries().at(-1).startTime });
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
}
