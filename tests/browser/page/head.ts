import type { Page } from "@playwright/test";

/** What a page's head says of it, by the names that readers of heads use. */
export interface Head {
  readonly title: string;
  readonly metas: Readonly<Record<string, string>>;
  readonly canonical: string | undefined;
  /** The JSON-LD blocks, parsed: one that is no JSON throws. */
  readonly structured: readonly Thing[];
}

/** A thing in JSON-LD. */
export interface Thing {
  readonly "@context"?: string;
  readonly "@type"?: string;
  readonly "@graph"?: readonly Thing[];
  readonly [property: string]: unknown;
}

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

/** All things that a page describes, those inside of a graph included. */
export function things(head: Head): Thing[] {
  return head.structured.flatMap((thing) => [...(thing["@graph"] ?? [thing])]);
}
