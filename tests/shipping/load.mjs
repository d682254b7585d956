// Sends GET requests at a constant rate until SIGTERM: node load.mjs ORIGIN REQUESTS_PER_SECOND.
// Then it waits for the responses, and prints the number of sent, late, answered and lost requests
// as one line of JSON.

import { Agent, get } from "node:http";
import { performance } from "node:perf_hooks";

/** Longer than a busy machine needs. */
const REQUEST_TIMEOUT_MS = 60_000;
/**
 * A request that is sent this long after its time is late. After a pause, all requests of that time
 * are sent at once, so that only the number of late ones shows it.
 */
const LATE_MS = 500;
/** Maximum duration of the load, if SIGTERM does not arrive. */
const LOAD_MAX_MS = 900_000;

const [origin, rate] = process.argv.slice(2);
const paths = [...(await pages()), "/icon.svg"];

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const result = { sent: 0, late: 0, answered: 0, lost: {}, slowestMs: 0 };
const countLost = (reason) => {
  result.lost[reason] = (result.lost[reason] ?? 0) + 1;
};

/** The paths of the pages, which llms.txt lists. */
async function pages() {
  const text = await (await fetch(`${origin}/llms.txt`)).text();
  return Array.from(text.matchAll(/\]\((.+?)\)/g), ([, link]) => new URL(link, origin).pathname);
}

function send(path) {
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const request = get(`${origin}${path}`, { agent, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      let received = 0;
      response.on("data", (chunk) => {
        received += chunk.length;
      });
      response.on("close", () => {
        const complete = response.complete && received === Number(response.headers["content-length"]);
        if (response.statusCode === 200 && complete) result.answered += 1;
        else countLost(complete ? `status ${response.statusCode}` : "truncated");
        result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - sentAt));
        resolve();
      });
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", (error) => {
      countLost(error.code ?? error.message);
      resolve();
    });
  });
}

const started = performance.now();
const requests = [];
await new Promise((resolve) => {
  const sendDue = () => {
    const elapsed = performance.now() - started;
    const dueAfter = (milliseconds) => Math.floor((milliseconds / 1000) * Number(rate));
    const [due, late] = [dueAfter(elapsed), dueAfter(elapsed - LATE_MS)];
    result.late += Math.max(late - result.sent, 0);
    while (result.sent < due) {
      requests.push(send(paths[result.sent % paths.length]));
      result.sent += 1;
    }
  };
  const timer = setInterval(sendDue, 1);
  const end = () => {
    sendDue();
    clearInterval(timer);
    clearTimeout(limit);
    resolve();
  };
  const limit = setTimeout(end, LOAD_MAX_MS);
  process.once("SIGTERM", end);
});
result.seconds = Math.round((performance.now() - started) / 100) / 10;
await Promise.all(requests);
agent.destroy();
console.log(JSON.stringify(result));
