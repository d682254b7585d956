import { landing, routes } from "../app/routes";
import { places, withOrigin } from "./places";
import { themeColors } from "./theme";

/** RFC 9116 asks for less than a year, so that a forgotten file expires. */
const securityTxtDays = 364;

const summary = landing.description(places.appName);

/** https://www.w3.org/TR/appmanifest/ */
export function webManifest(shell: string): string {
  const theme = themeColors(shell).light;
  const manifest = {
    name: places.appName,
    short_name: places.appName,
    description: summary,
    lang: "en",
    start_url: "/",
    display: "browser",
    background_color: theme,
    theme_color: theme,
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
  return `${JSON.stringify(manifest)}\n`;
}

export function robotsTxt(): string {
  const sitemap = withOrigin(`\nSitemap: ${places.origin}/sitemap.xml\n`);
  return `User-agent: *\nAllow: /\n${sitemap}`;
}

/** Addresses in a sitemap are absolute: without an origin the file is blank, and is not served. */
export function sitemapXml(builtOn: string): string {
  const urls = routes.map(({ path }) => `<url><loc>${places.origin}${path}</loc><lastmod>${builtOn}</lastmod></url>`);
  return withOrigin(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...urls,
      "</urlset>\n",
    ].join("\n"),
  );
}

/** https://llmstxt.org: Markdown with one H1, a summary, and lists of links. */
export function llmsTxt(): string {
  const links = routes.map(
    ({ path, title, description }) =>
      `- [${title(places.appName)}](${places.origin}${path}): ${description(places.appName)}`,
  );
  return [`# ${places.appName}`, `> ${summary}`, "## Pages", links.join("\n")].join("\n\n").concat("\n");
}

/** RFC 9116. */
export function securityTxt(builtOn: string): string {
  const expires = new Date(builtOn);
  expires.setUTCDate(expires.getUTCDate() + securityTxtDays);
  return [
    `Contact: mailto:${places.supportEmail}\n`,
    `Expires: ${expires.toISOString().replace(/\.\d+Z$/, "Z")}\n`,
    "Preferred-Languages: en\n",
    withOrigin(`Canonical: ${places.origin}/.well-known/security.txt\n`),
  ].join("");
}
