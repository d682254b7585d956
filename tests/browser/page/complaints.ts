import type { BrowserContext } from "@playwright/test";
import { UNKNOWN_PATH } from "../site/specification.ts";

/** A visit to {@link UNKNOWN_PATH}: the browser reports the status, and the page names the path. */
export const UNKNOWN_PATH_COMPLAINT = new RegExp(`status of 404|${UNKNOWN_PATH}`);

/** What a browser complains of while pages are used. */
export interface Complaints {
  /** Every complaint so far, in order. */
  readonly all: readonly string[];
  /** Says that complaints like these belong to what the test does. */
  expect(pattern: RegExp): void;
  /** The complaints that no one said to expect. */
  unexpected(): string[];
}

/**
 * Collects console errors and warnings, uncaught errors, violations of the content security policy
 * (by their event, which also tells those that a console message does not) and requests that leave
 * the site.
 */
export async function watch(context: BrowserContext, site: string): Promise<Complaints> {
  const all: string[] = [];
  const expected: RegExp[] = [];

  context.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) all.push(message.text());
  });
  context.on("weberror", (error) => all.push(`uncaught ${error.error().message}`));
  context.on("request", (request) => {
    if (!request.url().startsWith(`${site}/`)) all.push(`request off the site: ${request.url()}`);
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
  };
}
