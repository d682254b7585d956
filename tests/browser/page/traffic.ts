import type { CDPSession, Page } from "@playwright/test";
import { waitForPaint } from "./idle.ts";

/** A response that a page received, from the network or a cache. */
export interface Transfer {
  readonly path: string;
  readonly type: string;
  readonly encoding: string | undefined;
  /** Bytes received over the network, headers included; 0 for a response from a browser cache. */
  readonly bytes: number;
}

/**
 * Records the responses that a page receives, as Chromium reports them. Chromium may request a
 * resource several times and answer from its memory or disk cache. Only the number of bytes shows
 * whether a response came over the network.
 */
export class Traffic {
  /** Requests in progress. */
  readonly #inProgress = new Map<string, Omit<Transfer, "bytes">>();
  /** Loaders of earlier documents. Chromium may not report the end of their requests. */
  readonly #earlier = new Set<string>();
  #document = "";
  #started = 0;
  #responses: Transfer[] = [];
  #onEnd = () => {};

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
      if (this.#earlier.has(loaderId) || !request.url.startsWith("http")) return;
      if (requestId === loaderId) this.#document = loaderId;
      this.#started += 1;
      const { pathname: path } = new URL(request.url);
      this.#inProgress.set(requestId, { path, type, encoding: undefined });
    });
    session.on("Network.responseReceived", ({ requestId, response, type }) => {
      const request = this.#inProgress.get(requestId);
      if (request === undefined) return;
      const encoding = Object.entries(response.headers).find(
        ([name]) => name.toLowerCase() === "content-encoding",
      )?.[1];
      this.#inProgress.set(requestId, { ...request, type, encoding });
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const response = this.#inProgress.get(requestId);
      if (response === undefined) return;
      this.#responses.push({ ...response, bytes: encodedDataLength });
      this.#end(requestId);
    });
    session.on("Network.loadingFailed", ({ requestId }) => this.#end(requestId));
  }

  #end(requestId: string): void {
    this.#inProgress.delete(requestId);
    this.#onEnd();
  }

  /** Discards the recorded responses. Call before a navigation. */
  restart(): void {
    this.#earlier.add(this.#document);
    this.#inProgress.clear();
    this.#responses = [];
  }

  /** Waits until no request is in progress and none starts any more. Returns all responses. */
  async complete(): Promise<Transfer[]> {
    for (let before = -1; before !== this.#started; ) {
      before = this.#started;
      await waitForPaint(this.page);
      // In this session, the result arrives after the events of all requests that have started.
      await this.session.send("Runtime.evaluate", { expression: "0" });
      while (this.#inProgress.size > 0) {
        await new Promise<void>((resolve) => {
          this.#onEnd = resolve;
        });
      }
    }
    return this.#responses;
  }
}
