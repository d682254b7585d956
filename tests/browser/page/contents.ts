import { expect, type Page } from "@playwright/test";

/** Expects the texts, headings, links and controls of ../texts/NAME.aria.yml in a part of the page, in their order and no others. */
export async function expectTexts(page: Page, name: string, part = "body"): Promise<void> {
  // The day of the build or of the visit would get into the file.
  await page.locator("time").evaluateAll((all) => {
    for (const time of all) time.textContent = "today";
  });
  await expect(page.locator(part)).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
}

/**
 * The head and the main heading of the page in which it runs: with the content of each `meta` element by its name, and its
 * media query if it has one.
 */
export const readHead = () => ({
  title: document.title,
  heading: document.querySelector("h1")?.textContent ?? "",
  metas: Object.fromEntries(
    [...document.querySelectorAll<HTMLMetaElement>("head meta[content]")].map((meta) => [
      [meta.name || meta.getAttribute("property") || meta.httpEquiv, meta.media]
        .filter(Boolean)
        .join(" "),
      meta.content,
    ]),
  ),
  canonical: document.querySelector("link[rel=canonical]")?.getAttribute("href") ?? undefined,
});

export type Head = ReturnType<typeof readHead>;
