import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { App } from "../app/app";
import { notFound, type Page, routes } from "../app/routes";
import { llmsTxt, robotsTxt, securityTxt, sitemapXml, webManifest } from "./discovery-files";
import { documentHead } from "./document-head";
import { spellAsHtml } from "./html-spelling";
import { places, withOrigin } from "./places";

/** A path without a route, for which the router shows the not-found page. Its document is 404.html. */
const notFoundPath = "/404";

/**
 * Every text file of the site by its name, as templates with places that the
 * server fills. `shell` is the document that Parcel built, `builtOn` the day of the build, as YYYY-MM-DD.
 */
export async function prerenderSite(shell: string, builtOn: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const page of [...routes, notFound]) {
    const path = page.path ?? notFoundPath;
    files.set(documentFile(path), await prerenderDocument(shell, builtOn, page, path));
  }
  files.set("site.webmanifest", webManifest(shell));
  files.set("robots.txt", robotsTxt());
  files.set("sitemap.xml", sitemapXml(builtOn));
  files.set("llms.txt", llmsTxt());
  files.set(".well-known/security.txt", securityTxt(builtOn));
  return files;
}

function documentFile(path: string): string {
  return path === "/" ? "index.html" : `${path.slice(1)}.html`;
}

async function prerenderDocument(shell: string, builtOn: string, page: Page, path: string): Promise<string> {
  const settings = { appName: places.appName, supportEmail: places.supportEmail, built: builtOn };
  const app = (
    <Router ssrPath={path}>
      <App settings={settings} />
    </Router>
  );
  const { prelude } = await prerender(app, {
    onError(error) {
      throw error;
    },
  });
  // React writes what it wants loaded early before the page; the picture is to be asked for before the font.
  const [, early, body] = /^((?:<link rel="preload"[^>]*>)*)(.*)$/s.exec(
    await new Response(prelude).text(),
  ) as string[];
  const attributes = [
    `data-app-name="${places.appName}" data-support-email="${places.supportEmail}" data-built="${builtOn}"`,
    withOrigin(` data-origin="${places.origin}"`),
  ].join("");
  const document = fill(shell, {
    '<html lang="en">': `<html lang="en" ${attributes}>`,
    "<!--head-->": [documentHead(page, shell), early].join("\n    "),
    '<div id="root"></div>': `<div id="root">${body}</div>`,
  });
  return spellAsHtml(document).replace(/\s+$/gm, "").concat("\n");
}

function fill(shell: string, parts: Record<string, string>): string {
  let document = shell;
  for (const [marker, part] of Object.entries(parts)) {
    if (!document.includes(marker)) throw new Error(`src/index.html has lost its ${marker}`);
    document = document.replace(marker, () => part);
  }
  return document;
}
