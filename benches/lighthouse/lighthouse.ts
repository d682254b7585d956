/**
 * Measures every route with Lighthouse in its default configuration (mobile, simulated throttling),
 * and a static page without a script for comparison: `npm --prefix benches/lighthouse start`, or
 * `… start RUNS` for another number of runs than five. This is a benchmark, so no result is a failure.
 *
 * "/isolated" is the static page with the isolation fields of the site's pages. They move the page
 * to a process of its own. Lighthouse multiplies the time that this takes by four, and counts it as
 * blocking.
 *
 * The site has an origin, as in production. Without one, its policy blocks robots.txt and llms.txt,
 * which Lighthouse fetches on behalf of the page (GoogleChrome/lighthouse#4386, DECISION-15). The
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
const SECONDS = 1000;
/** Each with the divisor that converts Lighthouse's value to the unit of the table, and the digits. */
const METRICS = [
  ["first-contentful-paint", SECONDS, 2],
  ["largest-contentful-paint", SECONDS, 2],
  ["total-blocking-time", 1, 0],
  ["cumulative-layout-shift", 1, 2],
] as const;
/** The lowest score that Lighthouse shows in green. */
const PASSED = 0.9;
const RUNS = numberOfRuns(process.argv.slice(2));

interface Run {
  /** By category, 0 to 100. */
  readonly scores: Readonly<Record<string, number>>;
  /** By metric: seconds for paints, milliseconds for the blocking time; the shift has no unit. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Lighthouse computes no score for this category, so the passed audits are counted. */
  readonly agentic: string;
  /** The audits that reduce a score. */
  readonly lost: readonly string[];
}

/** The number of runs that the arguments name. */
function numberOfRuns([number = "5", ...others]: readonly string[]): number {
  if (!/^[1-9]\d*$/.test(number) || others.length > 0) {
    const given = [number, ...others].join(" ");
    console.error(
      `"${given}" is no number of runs; usage: npm --prefix benches/lighthouse start [RUNS]`,
    );
    process.exit(2);
  }
  return Number(number);
}

async function run(url: string, port: number): Promise<Run> {
  const result = await lighthouse(url, { port, output: "json", logLevel: "error" });
  if (result === undefined) {
    throw new Error(`Lighthouse returned no result for ${url}; is Chromium installed?`);
  }
  const { categories, audits } = result.lhr;
  const agentic = (categories["agentic-browsing"]?.auditRefs ?? [])
    .map((ref) => audits[ref.id]?.score)
    .filter((score) => typeof score === "number");
  const value = ([id, unit]: (typeof METRICS)[number]) => [
    id,
    (audits[id]?.numericValue ?? Number.NaN) / unit,
  ];
  return {
    scores: Object.fromEntries(
      CATEGORIES.map((id) => [id, Math.round((categories[id]?.score ?? 0) * 100)]),
    ),
    metrics: Object.fromEntries(METRICS.map(value)),
    agentic: `${agentic.filter((score) => score >= PASSED).length} of ${agentic.length}`,
    lost: Object.values(categories)
      .flatMap((category) => category.auditRefs)
      .filter((ref) => ref.weight > 0 && (audits[ref.id]?.score ?? 1) < PASSED)
      .map((ref) => ref.id),
  };
}

/**
 * A row of the table: medians, and the worst run in parentheses. Standard error gets the figures of
 * each run.
 */
async function measure(name: string, url: string, port: number): Promise<object> {
  const runs: Run[] = [];
  while (runs.length < RUNS) {
    const measured = await run(url, port);
    runs.push(measured);
    const { scores, metrics } = measured;
    const paint = metrics["largest-contentful-paint"]?.toFixed(2);
    const blocking = metrics["total-blocking-time"]?.toFixed(0);
    console.error(
      `${name}: performance ${scores.performance}, largest paint ${paint} s, blocked for ${blocking} ms`,
    );
  }
  const scores = CATEGORIES.map((id) => {
    const values = sorted(runs.map(({ scores }) => scores[id] ?? 0));
    return [id, `${median(values)} (${values[0]})`];
  });
  const metrics = METRICS.map(([id, , digits]) => {
    const values = sorted(runs.map(({ metrics }) => metrics[id] ?? Number.NaN));
    return [id, `${median(values).toFixed(digits)} (${values.at(-1)?.toFixed(digits)})`];
  });
  return {
    ...Object.fromEntries([...scores, ...metrics]),
    agentic: [...new Set(runs.map(({ agentic }) => agentic))].join(", "),
    lost: [...new Set(runs.flatMap(({ lost }) => lost))].join(" "),
  };
}

/** The rows of the static pages on `plainPort` and of all routes of the site, by name. */
async function measureAll(plainPort: number, browserPort: number): Promise<Record<string, object>> {
  const table: Record<string, object> = {};
  for (const path of ["/", "/isolated"]) {
    const name = `static page, ${path}`;
    table[name] = await measure(name, `http://127.0.0.1:${plainPort}${path}`, browserPort);
  }
  for (const { path } of ROUTES) {
    table[path] = await measure(path, `http://${ADDRESS}${path}`, browserPort);
  }
  return table;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}

/** The lower one of the two in the middle of an even number of values. */
function median(values: readonly number[]): number {
  return values[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

const site = await startSite(["--origin", `http://${ADDRESS}`], ADDRESS);
const plain = createServer((request, response) => {
  if (request.url === "/isolated") {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  } else if (request.url !== "/") {
    return void response.writeHead(404).end();
  }
  response.setHeader("Content-Type", "text/html; charset=utf-8").end(STATIC_PAGE);
});
try {
  await once(plain.listen(0, "127.0.0.1"), "listening");
  const { port } = plain.address() as AddressInfo;
  const browser = await launch({
    chromePath: chromium.path,
    chromeFlags: ["--headless=new", ...chromium.flags],
  });
  try {
    console.table(await measureAll(port, browser.port));
  } finally {
    browser.kill();
  }
} finally {
  plain.close();
  await site.stop();
}
