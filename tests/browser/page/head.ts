import type { Page } from "@playwright/test";

/** The metadata in the head of a page. */
export interface Head {
  readonly title: string;
  /** The content of each `meta` element by its name, and its media query if it has one. */
  readonly metas: Readonly<Record<string, string>>;
  readonly canonical: string | undefined;
  /** What the page describes in JSON-LD: the graph of schema.org, empty except on the landing page. */
  readonly things: readonly Thing[];
}

/** A schema.org Thing in JSON-LD. */
export interface Thing {
  readonly "@type"?: string;
  readonly [property: string]: unknown;
}

/** Reads the head of a page. Throws if its JSON-LD is not JSON. */
export async function readHead(page: Page): Promise<Head> {
  const { structured, ...head } = await page.evaluate(() => ({
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
    structured:
      document.querySelector("script[type='application/ld+json']")?.textContent ?? '{"@graph":[]}',
  }));
  return { ...head, things: (JSON.parse(structured) as { "@graph": Thing[] })["@graph"] };
}
