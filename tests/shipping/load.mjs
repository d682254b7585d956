// Sends GET requests until SIGTERM, or for 15 minutes: node load.mjs ORIGIN. Each of 64 clients sends its
// next request once it has the response to the last one. Then prints the number of sent and answered
// requests, and the reasons of lost ones, as one line of JSON.

import { Agent, get } from "node:http";

const CLIENTS = 64;
/** Longer than a busy machine needs. */
const REQUEST_TIMEOUT_MS = 60_000;

const [origin] = process.argv.slice(2);
// llms.txt lists the pages.
const list = await (await fetch(`${origin}/llms.txt`)).text();
const paths = Array.from(list.matchAll(/\]\((.+?)\)/g), ([, link]) => new URL(link, origin).pathname);

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const result = { sent: 0, answered: 0, lost: {} };
let isEnding = false;
process.once("SIGTERM", end);
setTimeout(end, 900_000).unref();

function end() {
  isEnding = true;
}

/** Resolves to the reason why the response is not as expected, else to nothing. */
function request(path) {
  return new Promise((resolve) => {
    const request = get(`${origin}${path}`, { agent, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      let received = 0;
      response.on("data", (chunk) => {
        received += chunk.length;
      });
      response.on("close", () => {
        const isComplete = response.complete && received === Number(response.headers["content-length"]);
        if (response.statusCode === 200 && isComplete) resolve();
        else resolve(isComplete ? `status ${response.statusCode}` : "truncated");
      });
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", (error) => resolve(error.code ?? error.message));
  });
}

async function client() {
  while (!isEnding) {
    const reason = await request(paths[result.sent++ % paths.length]);
    if (reason === undefined) result.answered += 1;
    else result.lost[reason] = (result.lost[reason] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: CLIENTS }, client));
agent.destroy();
console.log(JSON.stringify(result));
