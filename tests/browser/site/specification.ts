/** Settings, paths and times that docs/pages.md specifies. The texts of the pages are in ../texts. */

import { existsSync, readFileSync } from "node:fs";
import defaults from "../../../ui/src/settings.json" with { type: "json" };
import words from "../../../ui/src/words.json" with { type: "json" };

export const { appName: APP_NAME, supportEmail: SUPPORT_EMAIL } = defaults;

/** What the landing page and its metadata say. An owner may write the name out there. */
export const WORDS: readonly string[] = Object.values(words);

export const ROUTES = ["/", "/privacy", "/terms", "/contact"] as const;
export const LEGAL_PAGES = ["/privacy", "/terms"] as const;

/** Whether the landing page shows the drawing of PAGE-3. An owner with another picture has deleted it. */
export const HAS_DRAWING = existsSync(
  new URL("../../../ui/src/art/hero-wide-light.svg", import.meta.url),
);

/** The date that an owner has given to a legal page; undefined if it shows the current date (PAGE-15). */
export function fixedDate(path: string): string | undefined {
  const file = new URL(`../../../ui/src/app/pages${path}.tsx`, import.meta.url);
  return / date="([\d-]+)"/.exec(readFileSync(file, "utf8"))?.[1];
}

export const UNKNOWN_PATH = "/no/such/page";

/** The paths of all pages: the routes, and an unknown path for the 404 page. */
export const PAGES = [...ROUTES, UNKNOWN_PATH] as const;

/** The name of a page in ../texts. */
export function nameOf(path: (typeof PAGES)[number]): string {
  if (path === "/") return "landing";
  return path === UNKNOWN_PATH ? "not-found" : path.slice(1);
}

export const SEND_DELAY_MS = 1_000;
export const SEND_TIMEOUT_MS = 15_000;
export const TOAST_MS = 5_000;
