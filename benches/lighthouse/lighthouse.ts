/**
 * Measures every route with Lighthouse in its default configuration (mobile, simulated throttling),
 * and a static page without a script for comparison: `npm --prefix benches/lighthouse start`. This
 * is a benchmark, so no result is a failure.
 *
 * "/isolated" is the static page with the isolation fields of the site's pages. They move the page
 * to a process of its own; Lighthouse multiplies the time of this by four and counts it as blocking.
 *
 * The site has an origin, as in production. Without one, its policy blocks robots.txt and llms.txt,
 * which Lighthouse fetches in the name of the page (GoogleChrome/lighthouse#4386, DECISION-15). The
 * column "lost" lists the audits that reduce a score.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromium } from "../../tests/browser/site/chromium.ts";
import { startSite } from "../../tests/browser/site/executable.ts";
import { ROUTES } from "../../tests/browser/site/specification.ts";

const STATIC_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Static</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="A page of text.">
</head><body><main><h1>Static</h1><p>${"Nothing but text. ".repeat(60)}</p></main></body></html>`;

/** A fixed port, because the origin has to be known before the site starts. */
const ADDRESS = "127.0.0.1:18790";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const METRICS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
];
/** The lowest score that Lighthouse shows in green. */
const PASSED = 0.9;

async function measure(url: string, port: number) {
  const result = await lighthouse(url, { port, output: "json", logLevel: "error" });
  if (result === undefined) {
    throw new Error(`Lighthouse returned no result for ${url}; is Chromium installed?`);
  }
  const { categories, audits } = result.lhr;
  const scores = CATEGORIES.map((id) => [id, Math.round((categories[id]?.score ?? 0) * 100)]);
  // Lighthouse computes no score for this category, so the passed audits are counted.
  const agentic = (categories["agentic-browsing"]?.auditRefs ?? [])
    .map((ref) => audits[ref.id]?.score)
    .filter((score) => typeof score === "number");
  const passed = agentic.filter((score) => score >= PASSED).length;
  const metrics = METRICS.map((id) => [id, audits[id]?.displayValue]);
  const lost = Object.values(categories)
    .flatMap((category) => category.auditRefs)
    .filter((ref) => ref.weight > 0 && (audits[ref.id]?.score ?? 1) < PASSED)
    .map((ref) => ref.id);
  const shares = { agentic: `${passed} of ${agentic.length}` };
  return { ...Object.fromEntries([...scores, ...metrics]), ...shares, lost: lost.join(" ") };
}

const site = await startSite(["--listen", ADDRESS, "--origin", `http://${ADDRESS}`]);
const plain = createServer((request, response) => {
  if (request.url === "/isolated") {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  } else if (request.url !== "/") {
    return void response.writeHead(404).end();
  }
  response.setHeader("Content-Type", "text/html; charset=utf-8").end(STATIC_PAGE);
}).listen(0, "127.0.0.1");
await once(plain, "listening");
const { port: plainPort } = plain.address() as AddressInfo;
const browser = await launch({
  chromePath: chromium.path,
  chromeFlags: ["--headless=new", ...chromium.flags],
});

const table: Record<string, object> = {};
for (const path of ["/", "/isolated"]) {
  table[`static page, ${path}`] = await measure(
    `http://127.0.0.1:${plainPort}${path}`,
    browser.port,
  );
}
for (const { path } of ROUTES)
  table[path] = await measure(`http://${ADDRESS}${path}`, browser.port);
console.table(table);

browser.kill();
plain.close();
await site.stop();
