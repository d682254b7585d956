import type { Page } from "./routes";

type Attribute = readonly [name: string, value: string];

/** An element of the document head without content. */
export interface HeadElement {
  readonly tag: "link" | "meta";
  /** Distinguishes the element from all others with the same tag. */
  readonly key: Attribute;
  readonly value: Attribute;
}

/** The part of the document head that differs between pages (PAGE-23, PAGE-24). */
export interface PageHead {
  readonly title: string;
  readonly description: HeadElement;
  readonly social: readonly HeadElement[];
  /** Only for a page with a path, on a site with a known origin. */
  readonly canonical: readonly HeadElement[];
  /** Only for a page without a path. */
  readonly robots: readonly HeadElement[];
}

export function pageHead(page: Page, appName: string, origin: string | undefined): PageHead {
  const title = page.title(appName);
  const description = page.description(appName);
  const url = page.path !== undefined && origin ? origin + page.path : undefined;
  return {
    title,
    description: meta("name", "description", description),
    social: [meta("property", "og:title", title), meta("property", "og:description", description)],
    canonical: url ? [link("canonical", url), meta("property", "og:url", url)] : [],
    robots: page.path === undefined ? [meta("name", "robots", "noindex")] : [],
  };
}

export function meta(key: "name" | "property", name: string, content: string): HeadElement {
  return { tag: "meta", key: [key, name], value: ["content", content] };
}

function link(rel: string, href: string): HeadElement {
  return { tag: "link", key: ["rel", rel], value: ["href", href] };
}
