import type { CDPSession, Page } from "@playwright/test";
import { painted } from "./idle.ts";

/** A response that a page received. */
export interface Transfer {
  readonly path: string;
  readonly type: string;
  readonly encoding: string | undefined;
  /** What came over the network for it, headers included: 0 where a cache of the browser answered. */
  readonly bytes: number;
}

/**
 * The responses that a page receives, by the browser's account. The browser asks for one resource
 * as often as it likes, and answers from its own caches when it can: whether a request reached
 * the network shows in its bytes alone.
 */
export class Traffic {
  /** Requests that have not ended, with what is known of their response. */
  readonly #open = new Map<string, Omit<Transfer, "bytes">>();
  /** Documents that the page has left: their requests may end without a sign. */
  readonly #left = new Set<string>();
  #document = "";
  #begun = 0;
  #responses: Transfer[] = [];
  #oneEnded = () => {};

  static async of(page: Page): Promise<Traffic> {
    const session = await page.context().newCDPSession(page);
    const traffic = new Traffic(page, session);
    await session.send("Network.enable");
    return traffic;
  }

  private constructor(
    readonly page: Page,
    readonly session: CDPSession,
  ) {
    session.on("Network.requestWillBeSent", ({ requestId, loaderId, request, type = "" }) => {
      if (this.#left.has(loaderId) || !request.url.startsWith("http")) return;
      if (requestId === loaderId) this.#document = loaderId;
      this.#begun += 1;
      const { pathname: path } = new URL(request.url);
      this.#open.set(requestId, { path, type, encoding: undefined });
    });
    session.on("Network.responseReceived", ({ requestId, response, type }) => {
      const request = this.#open.get(requestId);
      if (request === undefined) return;
      const encoding = Object.entries(response.headers).find(
        ([name]) => name.toLowerCase() === "content-encoding",
      )?.[1];
      this.#open.set(requestId, { ...request, type, encoding });
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const response = this.#open.get(requestId);
      if (response === undefined) return;
      this.#responses.push({ ...response, bytes: encodedDataLength });
      this.#end(requestId);
    });
    session.on("Network.loadingFailed", ({ requestId }) => this.#end(requestId));
  }

  #end(requestId: string): void {
    this.#open.delete(requestId);
    this.#oneEnded();
  }

  async emptyCache(): Promise<void> {
    await this.session.send("Network.clearBrowserCache");
  }

  /** Forgets what was received. Before the page is led elsewhere. */
  restart(): void {
    this.#left.add(this.#document);
    this.#open.clear();
    this.#responses = [];
  }

  /** Waits until the page has nothing left to load, and tells what it received. */
  async complete(): Promise<Transfer[]> {
    for (let before = -1; before !== this.#begun; ) {
      before = this.#begun;
      await painted(this.page);
      // This session reports the requests that were begun before it answers.
      await this.session.send("Runtime.evaluate", { expression: "0" });
      while (this.#open.size > 0) {
        await new Promise<void>((ended) => {
          this.#oneEnded = ended;
        });
      }
    }
    return this.#responses;
  }
}
