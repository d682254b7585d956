import type { BrowserContext } from "@playwright/test";
import { UNKNOWN_PATH } from "../site/specification.ts";

/** The errors that a browser reports during a test. */
export class BrowserErrors {
  /** All messages so far, in order, except for the browser's about {@link UNKNOWN_PATH}. */
  readonly all: string[] = [];
  /** At first the message of the page about {@link UNKNOWN_PATH} (PAGE-14). */
  readonly #expected = [new RegExp(UNKNOWN_PATH)];

  /**
   * Records console errors and warnings, uncaught errors, violations of the content security policy
   * and requests to another origin than `site`. Violations are recorded by their event, because some
   * of them cause no console message.
   */
  static async of(context: BrowserContext, site: string): Promise<BrowserErrors> {
    const errors = new BrowserErrors();
    const { all } = errors;
    context.on("console", (message) => {
      const text = message.text();
      if (!["error", "warning", "assert"].includes(message.type())) return;
      const isOfUnknownPath = message.location().url.endsWith(UNKNOWN_PATH);
      if (!isOfUnknownPath || !text.includes("status of 404")) all.push(text);
    });
    context.on("weberror", (error) => all.push(`uncaught ${error.error().message}`));
    context.on("request", (request) => {
      if (!request.url().startsWith(`${site}/`))
        all.push(`request to another origin: ${request.url()}`);
    });
    await context.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        const { effectiveDirective, blockedURI, sample } = event;
        console.error(`policy violation: ${effectiveDirective} by ${blockedURI} ${sample}`);
      });
    });
    return errors;
  }

  /** Declares that messages of this form are expected in the test. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** The messages that no pattern matches. */
  unexpected(): string[] {
    return this.all.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }
}
