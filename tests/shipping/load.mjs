// A steady load of GET requests: node load.mjs ORIGIN REQUESTS_PER_SECOND SECONDS.
// Prints one line of JSON: what was sent, what came back, what was lost.

import { Agent, get } from "node:http";
import { performance } from "node:perf_hooks";

const [origin, ...load] = process.argv.slice(2);
const [rate, seconds] = load.map(Number);
const paths = [...(await pages()), "/icon.svg"];
/** As long as a visitor would wait. */
const patienceMs = 10_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const total = rate * seconds;
const result = { sent: 0, answered: 0, lost: {}, slowestMs: 0 };
const lose = (reason) => {
  result.lost[reason] = (result.lost[reason] ?? 0) + 1;
};

/** The links of llms.txt, which lists the pages. */
async function pages() {
  const text = await (await fetch(`${origin}/llms.txt`)).text();
  return Array.from(text.matchAll(/\]\((.+?)\)/g), ([, link]) => new URL(link, origin).pathname);
}

function send(path) {
  const begun = performance.now();
  return new Promise((settled) => {
    const request = get(`${origin}${path}`, { agent, timeout: patienceMs }, (response) => {
      let received = 0;
      response.on("data", (chunk) => {
        received += chunk.length;
      });
      response.on("close", () => {
        const whole = response.complete && received === Number(response.headers["content-length"]);
        if (response.statusCode === 200 && whole) result.answered += 1;
        else lose(whole ? `status ${response.statusCode}` : "cut off");
        result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - begun));
        settled();
      });
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", (error) => {
      lose(error.code ?? error.message);
      settled();
    });
  });
}

const started = performance.now();
const running = [];
await new Promise((finished) => {
  const clock = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate));
    while (result.sent < due) {
      running.push(send(paths[result.sent % paths.length]));
      result.sent += 1;
    }
    if (result.sent === total) {
      clearInterval(clock);
      finished();
    }
  }, 1);
});
result.seconds = Math.round((performance.now() - started) / 100) / 10;
await Promise.all(running);
agent.destroy();
console.log(JSON.stringify(result));
