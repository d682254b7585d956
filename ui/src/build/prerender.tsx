import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { App } from "../app/app";
import { Egg } from "../app/components/egg";
import { notFound, type Page, routes } from "../app/routes";
import { optionalSettings, SectionContext } from "../app/settings";
import defaults from "../settings.json";
import { documentHead } from "./document-head";
import { llmsTxt, robotsTxt, securityTxt, sitemapXml, webManifest } from "./metadata-files";
import { placeholders, sectionMark, sectionWith, separateWords } from "./placeholders";
import { documentFile, notFoundPath, redirects } from "./redirects";
import { eggStyle } from "./theme-colors";

/** What all documents have in common. */
interface CommonParts {
  /** The document that Parcel built from index.html. */
  readonly shell: string;
  /** YYYY-MM-DD. */
  readonly buildDate: string;
  readonly iconUrl: string;
}

/**
 * The text files of the site by their names, as templates with placeholders. `icon` is an SVG, `fixedNames` are the files of
 * `ui/public`.
 */
export async function prerenderSite(
  shell: string,
  buildDate: string,
  icon: string,
  fixedNames: readonly string[],
): Promise<Map<string, string>> {
  const files = new Map([["_redirects", redirects(fixedNames)]]);
  const common = { shell, buildDate, iconUrl: dataUrl(icon) };
  for (const page of [...routes, notFound]) {
    const path = page.path ?? notFoundPath;
    files.set(documentFile(path), await prerenderDocument(page, path, common));
  }
  for (const setting of optionalSettings) {
    // A document contains the origin outside of its pages, too.
    const uses = ["href", "action"].map((name) => ` ${name}="${placeholders[setting]}"`);
    const isUsed = setting === "origin" || [...files.values()].some((file) => uses.some((use) => file.includes(use)));
    if (!isUsed) throw new Error(`No page has a link to the setting ${setting}: show it in <WithSetting>`);
  }
  // For pages that only show the egg. Pages that move it contain it.
  const egg = renderToStaticMarkup(<Egg />).replace("<svg", '$& xmlns="http://www.w3.org/2000/svg"');
  files.set("egg.svg", egg.replace(">", `$&<style>${eggStyle(shell)}</style>`));
  files.set("site.webmanifest", webManifest(shell));
  files.set("robots.txt", robotsTxt());
  files.set("sitemap.xml", sitemapXml(buildDate));
  files.set("llms.txt", llmsTxt());
  files.set(".well-known/security.txt", securityTxt(buildDate));
  return files;
}

/**
 * A data: URL of the icon, shortened: without the title, which no tab shows, and with commas and single quotes, which need
 * no escape.
 */
function dataUrl(svg: string): string {
  const short = svg
    .trim()
    .replace(/<title>.*<\/title>/, "")
    .replaceAll('"', "'")
    .replaceAll(/(?<=\d) (?=[\d.])/g, ",");
  return `data:image/svg+xml,${encodeURI(short).replaceAll("#", "%23")}`;
}

/** The document of a page: valid markup, whose one inline script is the shell's (PAGE-36). */
async function prerenderDocument(page: Page, path: string, common: CommonParts): Promise<string> {
  const { shell, buildDate, iconUrl } = common;
  const settings = { ...placeholders, buildDate };
  const app = (
    <Router ssrPath={path}>
      <SectionContext
        value={(setting, content, otherwise) => (
          <>
            {mark("#", setting)}
            {content}
            {mark("/", setting)}
            {otherwise && mark("^", setting)}
            {otherwise}
            {otherwise && mark("/", setting)}
          </>
        )}
      >
        <App settings={settings} />
      </SectionContext>
    </Router>
  );
  const { prelude } = await prerender(app, {
    onError(error) {
      throw error;
    },
  });
  // React writes its preload links before the page, because the app renders no head. There they precede the font, which
  // is less urgent than the picture.
  const [, preloads, body] = /^((?:<link rel="preload"[^>]*>)*)(.*)$/s.exec(
    await new Response(prelude).text(),
  ) as unknown as [string, string, string];
  const content = body.replaceAll(/<template data-mark="([^"]*)"><\/template>/g, "$1");
  const attributes = [
    ...(Object.keys(defaults) as (keyof typeof defaults)[]).map(
      (setting) => `data-${separateWords(setting, "-")}="${placeholders[setting]}" `,
    ),
    `data-built="${buildDate}"`,
    // A section contains the space before its attribute.
    ...optionalSettings.map((setting) =>
      sectionWith(setting, ` data-${separateWords(setting, "-")}="${placeholders[setting]}"`),
    ),
  ].join("");
  const document = fill(shell, {
    '<html lang="en">': `<html lang="en" ${attributes}>`,
    "<!--head-->": [documentHead(page, shell, iconUrl), preloads].join("\n    "),
    '<div id="root"></div>': `<div id="root"${page.path ? ` data-path="${page.path}"` : ""}>${content}</div>`,
  });
  // Line breaks and indentation of the head would cost 30 bytes of the first flight (PAGE-35).
  return document.replaceAll(/\n\s*/g, "");
}

/**
 * An element in the place of a section's mark. If the app rendered the mark itself, it would be a text that hydration expects in
 * the browser, too.
 */
function mark(...parts: Parameters<typeof sectionMark>) {
  return <template data-mark={sectionMark(...parts)} />;
}

function fill(shell: string, parts: Record<string, string>): string {
  let document = shell;
  for (const [marker, part] of Object.entries(parts)) {
    if (!document.includes(marker)) throw new Error(`src/index.html does not contain ${marker}: restore it`);
    document = document.replace(marker, () => part);
  }
  return document;
}
