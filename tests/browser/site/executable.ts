import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { STEP_TIMEOUT_MS } from "./timeouts.ts";

const HOST = "127.0.0.1";
const ADDRESS = new RegExp(`https?://${HOST}:\\d+`);

/** The executable of the site: SITE_EXECUTABLE if it is set, or what `cargo build --release` built. */
export const executable = resolve(
  process.env.SITE_EXECUTABLE ??
    resolve(
      process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, "../../../target"),
      "release/recipelog-site",
    ),
);

/** A running server. `stop` sends SIGTERM and throws if the exit code is not 0. */
export interface Site {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the server on an address of the loopback interface, by default with a free port, and waits
 * for its ready line.
 */
export function startSite(options: readonly string[] = [], address = `${HOST}:0`): Promise<Site> {
  return start(["--listen", address, ...options]);
}

/** Like {@link startSite}, but with HTTPS only, and a new certificate for the address. */
export async function startSiteWithHttps(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "recipelog-https-"));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  await promisify(execFile)("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/", "-addext", `subjectAltName=IP:${HOST}`, "-days", "2"],
    ...["-keyout", key, "-out", certificate],
  ]);
  const files = ["--tls-cert", certificate, "--tls-key", key];
  const { url, stop } = await start(["--tls-listen", `${HOST}:0`, ...files]);
  return { url, stop: () => stop().finally(() => rm(folder, { recursive: true })) };
}

async function start(options: readonly string[]): Promise<Site> {
  const child = spawn(executable, options, { stdio: ["ignore", "pipe", "pipe"] });
  const url = await readyAddress(child);
  return { url, stop: () => stop(child) };
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const output: string[] = [];
    const timer = setTimeout(
      () => abort(`printed no address within ${STEP_TIMEOUT_MS} ms`),
      STEP_TIMEOUT_MS,
    );
    const abort = (reason: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error([`${executable} ${reason}`, ...output].join("\n")));
    };
    child.once("error", (error) => abort(`did not start: ${error.message}`));
    child.once("exit", (code) => abort(`exited before it was ready, with code ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        // ADDRESS contains HOST, because earlier lines can contain other URLs, such as the value of
        // an option.
        const address = line.match(ADDRESS)?.[0];
        if (address !== undefined) {
          clearTimeout(timer);
          child.removeAllListeners("exit");
          resolve(address);
        }
      });
    }
  });
}

/** The timeout is longer than --drain-timeout, so the server can exit before SIGKILL. */
async function stop(child: ChildProcess): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null;
  const ended = running ? once(child, "exit") : [child.exitCode, child.signalCode];
  const kill = setTimeout(() => child.kill("SIGKILL"), STEP_TIMEOUT_MS);
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  clearTimeout(kill);
  if (!running || code !== 0) {
    throw new Error(
      running
        ? `${executable} exited with code ${code}, signal ${signal} after SIGTERM`
        : `${executable} exited during the tests, with code ${code}, signal ${signal}`,
    );
  }
}
