import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { STEP_LIMIT_MS } from "./limits.ts";

const HOST = "127.0.0.1";
const ADDRESS = new RegExp(`http://${HOST}:\\d+`);

/** The site's executable: environment SITE_EXECUTABLE, or what `cargo build --release` made. */
export const executable = resolve(
  process.env.SITE_EXECUTABLE ??
    resolve(import.meta.dirname, "../../../target/release/recipelog-site"),
);

/** One running site. `stop` ends it by SIGTERM and throws unless it left with exit code 0. */
export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the executable on a free loopback port and waits for its ready line. */
export async function startSite(options: readonly string[] = []): Promise<Site> {
  const child = spawn(executable, ["--listen", `${HOST}:0`, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await readyAddress(child);
  return { url, stop: () => stop(child) };
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((ready, fail) => {
    const said: string[] = [];
    const limit = setTimeout(
      () => refuse(`said no address within ${STEP_LIMIT_MS} ms`),
      STEP_LIMIT_MS,
    );
    const refuse = (reason: string) => {
      clearTimeout(limit);
      child.kill("SIGKILL");
      fail(new Error([`${executable} ${reason}`, ...said].join("\n")));
    };
    child.once("error", (error) => refuse(`did not start: ${error.message}`));
    child.once("exit", (code) => refuse(`ended before it was ready, exit code ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        // An earlier message may contain another address, such as the value of an option.
        const address = line.match(ADDRESS)?.[0];
        if (address !== undefined) {
          clearTimeout(limit);
          child.removeAllListeners("exit");
          ready(address);
        }
      });
    }
  });
}

/** The limit is longer than the drain timeout, so that the executable's exit code is the result. */
async function stop(child: ChildProcess): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null;
  const ended = running ? once(child, "exit") : [child.exitCode, child.signalCode];
  const kill = setTimeout(() => child.kill("SIGKILL"), STEP_LIMIT_MS);
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  clearTimeout(kill);
  if (!running || code !== 0) {
    throw new Error(
      running
        ? `${executable} ended with exit code ${code}, signal ${signal} after SIGTERM`
        : `${executable} ended by itself during the tests, exit code ${code}, signal ${signal}`,
    );
  }
}
