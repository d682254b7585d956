import type { Page } from "@playwright/test";

/** The metadata in the head of a page. */
export interface Head {
  readonly title: string;
  /** The content of each `meta` element by its name, and its media query if it has one. */
  readonly metas: Readonly<Record<string, string>>;
  readonly canonical: string | undefined;
}

/** A schema.org Thing in JSON-LD. */
export interface Thing {
  readonly "@type"?: string;
  readonly [property: string]: unknown;
}

/** What the landing page describes in JSON-LD: the graph of schema.org. Throws if it is not JSON. */
export async function readThings(page: Page): Promise<Thing[]> {
  const text = await page.locator("script[type='application/ld+json']").textContent();
  return (JSON.parse(text ?? "") as { "@graph": Thing[] })["@graph"];
}

/** Reads the head of a page. */
export async function readHead(page: Page): Promise<Head> {
  return page.evaluate(() => ({
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
  }));
}
