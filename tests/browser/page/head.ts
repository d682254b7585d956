import type { Page } from "@playwright/test";

/** The metadata in the head of a page. */
export interface Head {
  readonly title: string;
  /** The content of each `meta` element by its name, and its media query if it has one. */
  readonly metas: Readonly<Record<string, string>>;
  readonly canonical: string | undefined;
  /** The parsed JSON-LD blocks. */
  readonly structured: readonly Thing[];
}

/** A schema.org Thing in JSON-LD. */
export interface Thing {
  readonly "@context"?: string;
  readonly "@type"?: string;
  readonly "@graph"?: readonly Thing[];
  readonly [property: string]: unknown;
}

/** Reads the head of a page. Throws if a JSON-LD block is not JSON. */
export async function readHead(page: Page): Promise<Head> {
  const { blocks, ...head } = await page.evaluate(() => ({
    title: document.title,
    metas: Object.fromEntries(
      [...document.querySelectorAll<HTMLMetaElement>("head meta[content]")].map((meta) => [
        [meta.name || meta.getAttribute("property") || meta.httpEquiv, meta.media]
          .filter(Boolean)
          .join(" "),
        meta.content,
      ]),
    ),
    canonical: document.querySelector("link[rel=canonical]")?.getAttribute("href") ?? undefined,
    blocks: [...document.querySelectorAll("script[type='application/ld+json']")].map(
      (block) => block.textContent ?? "",
    ),
  }));
  return { ...head, structured: blocks.map((block) => JSON.parse(block) as Thing) };
}

/** All things (schema.org) that a page describes, including those in a graph. */
export function things(head: Head): Thing[] {
  return head.structured.flatMap((thing) => [...(thing["@graph"] ?? [thing])]);
}
