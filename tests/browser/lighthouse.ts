/**
 * Measures the four routes with Lighthouse as it stands (mobile, its own throttling) beside a page
 * with no script at all, in one run: `npm run lighthouse`. A benchmark: it prints, and fails nothing.
 *
 * Lighthouse asks for robots.txt in the page's own name, which `connect-src 'none'` refuses: it
 * holds the file for missing and takes 8 or 9 points of SEO (GoogleChrome/lighthouse#4386). The
 * column "lost" names every audit that costs points, so that this one can be told from others.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromium } from "./site/chromium.ts";
import { startSite } from "./site/executable.ts";
import { ROUTES } from "./site/specification.ts";

const STATIC_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Static</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="A page of text.">
</head><body><main><h1>Static</h1><p>${"Nothing but text. ".repeat(60)}</p></main></body></html>`;

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const METRICS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
];

async function measure(url: string, port: number) {
  const result = await lighthouse(url, { port, output: "json", logLevel: "error" });
  if (result === undefined) throw new Error(`Lighthouse measured nothing at ${url}`);
  const { categories, audits } = result.lhr;
  const scores = CATEGORIES.map((id) => [id, Math.round((categories[id]?.score ?? 0) * 100)]);
  const metrics = METRICS.map((id) => [id, audits[id]?.displayValue]);
  const lost = Object.values(categories)
    .flatMap((category) => category.auditRefs)
    .filter((ref) => ref.weight > 0 && (audits[ref.id]?.score ?? 1) < 0.9)
    .map((ref) => ref.id);
  return { ...Object.fromEntries([...scores, ...metrics]), lost: lost.join(" ") };
}

const site = await startSite();
const plain = createServer((request, response) => {
  if (request.url !== "/") return void response.writeHead(404).end();
  response.setHeader("Content-Type", "text/html; charset=utf-8").end(STATIC_PAGE);
}).listen(0, "127.0.0.1");
await once(plain, "listening");
const { port: plainPort } = plain.address() as AddressInfo;
const browser = await launch({
  chromePath: chromium.path,
  chromeFlags: ["--headless=new", ...chromium.flags],
});

const table: Record<string, object> = {};
table["static page"] = await measure(`http://127.0.0.1:${plainPort}/`, browser.port);
for (const { path } of ROUTES) table[path] = await measure(site.url + path, browser.port);
console.table(table);

browser.kill();
plain.close();
await site.stop();
