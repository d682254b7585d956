import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const START_LIMIT_MS = 5_000;
/** The drain time that the executable promises by default (HTTP-25). */
const STOP_LIMIT_MS = 10_000;

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
  const child = spawn(executable, ["--listen", "127.0.0.1:0", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await readyAddress(child);
  return { url, stop: () => stop(child) };
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((ready, fail) => {
    const said: string[] = [];
    const limit = setTimeout(
      () => refuse(`said no address within ${START_LIMIT_MS} ms`),
      START_LIMIT_MS,
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
        const address = line.match(/http:\/\/[\w.[\]:]+:\d+/)?.[0];
        if (address !== undefined) {
          clearTimeout(limit);
          child.removeAllListeners("exit");
          ready(address);
        }
      });
    }
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null;
  const ended = running ? once(child, "exit") : [child.exitCode, child.signalCode];
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
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
