import type { BrowserContext } from "@playwright/test";
import { UNKNOWN_PATH } from "../site/specification.ts";

/** Matches the errors of a visit to {@link UNKNOWN_PATH}: one of the browser, one of the page. */
export const UNKNOWN_PATH_ERROR = new RegExp(`status of 404|${UNKNOWN_PATH}`);

/** The errors that a browser reports during a test. */
export interface BrowserErrors {
  /** All messages so far, in order. */
  readonly all: readonly string[];
  /** Declares that messages of this form are expected in the test. */
  expect(pattern: RegExp): void;
  /** The messages that no pattern matches. */
  unexpected(): string[];
  /** Forgets all messages and patterns. */
  clear(): void;
}

/**
 * Records console errors and warnings, uncaught errors, violations of the content security policy
 * and requests to another origin than `site`. Violations are recorded by their event, because some
 * of them cause no console message.
 */
export async function recordBrowserErrors(
  context: BrowserContext,
  site: string,
): Promise<BrowserErrors> {
  const all: string[] = [];
  let expected: RegExp[] = [];

  context.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) all.push(message.text());
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

  return {
    all,
    expect: (pattern) => void expected.push(pattern),
    unexpected: () => all.filter((text) => !expected.some((pattern) => pattern.test(text))),
    clear: () => {
      all.length = 0;
      expected = [];
    },
  };
}
