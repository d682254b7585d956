// The web manifest (PAGE-26) and the files for programs (PAGE-27).
import { routes } from "../app/routes";
import words from "../words.json";
import { placeholders, sectionWithOrigin } from "./placeholders";
import { themeColors } from "./theme-colors";

/** Validity in days. RFC 9116, section 2.5.5, recommends less than a year. */
const SECURITY_TXT_DAYS = 364;

/** The web application manifest (https://www.w3.org/TR/appmanifest/). */
export function webManifest(shell: string): string {
  const theme = themeColors(shell).light;
  const manifest = {
    name: placeholders.appName,
    short_name: placeholders.appName,
    description: words.subheading,
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
  const sitemap = sectionWithOrigin(`\nSitemap: ${placeholders.origin}/sitemap.xml\n`);
  return `User-agent: *\nAllow: /\n${sitemap}`;
}

/** URLs in a sitemap are absolute. Without an origin the file is empty, and the server leaves out empty files. */
export function sitemapXml(buildDate: string): string {
  const urls = routes.map(
    ({ path }) => `<url><loc>${placeholders.origin}${path}</loc><lastmod>${buildDate}</lastmod></url>`,
  );
  return sectionWithOrigin(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...urls,
      "</urlset>\n",
    ].join("\n"),
  );
}

/** https://llmstxt.org: Markdown with a heading, a summary and lists of links. */
export function llmsTxt(): string {
  const links = routes.map(
    ({ path, title, description }) =>
      `- [${title(placeholders.appName)}](${placeholders.origin}${path}): ${description(placeholders.appName)}`,
  );
  return [`# ${placeholders.appName}`, `> ${words.subheading}`, "## Pages", links.join("\n")].join("\n\n").concat("\n");
}

/** RFC 9116 */
export function securityTxt(buildDate: string): string {
  const expires = new Date(buildDate);
  expires.setUTCDate(expires.getUTCDate() + SECURITY_TXT_DAYS);
  return [
    `Contact: mailto:${placeholders.supportEmail}\n`,
    `Expires: ${expires.toISOString().replace(/\.\d+Z$/, "Z")}\n`,
    "Preferred-Languages: en\n",
    sectionWithOrigin(`Canonical: ${placeholders.origin}/.well-known/security.txt\n`),
  ].join("");
}
