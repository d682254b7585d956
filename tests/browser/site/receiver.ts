import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { executable } from "./executable.ts";

/** The folder of a certificate that no authority has issued, with its key. The site over HTTPS has it, too. */
export const certificates = resolve(import.meta.dirname, "../node_modules/.cache/certificate");

const certificateFile = (name: string) => readFileSync(resolve(certificates, name));

/** A request as it arrived. */
interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A program of the owner on another origin that receives the messages of a site's contact form (`--contact-url`). */
export class Receiver {
  received: Received[] = [];
  /** Answers a message, or leaves it without an answer. */
  answer: (response: ServerResponse) => void = () => {};

  private constructor(
    readonly server: ReturnType<typeof createServer>,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer({
      key: certificateFile("key.pem"),
      cert: certificateFile("certificate.pem"),
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `https://127.0.0.1:${port}/messages?form=1`);
    server.on("request", async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      receiver.received.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body,
      });
      receiver.answer(response);
    });
    return receiver;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** A site whose contact form sends to `contactUrl`. Returns its URL and a function that ends it. */
export async function startSite(
  contactUrl: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const options = ["--listen", "127.0.0.1:0", "--contact-url", contactUrl];
  const site = spawn(executable, options, { stdio: ["ignore", "ignore", "pipe"] });
  const exit = once(site, "exit");
  for await (const line of createInterface(site.stderr)) {
    const url = /ready on (http:\S+)/.exec(line)?.[1];
    if (!url) continue;
    const stop = async () => {
      site.kill();
      await exit;
    };
    return { url, stop };
  }
  throw new Error(`The site with --contact-url ${contactUrl} has not started`);
}
