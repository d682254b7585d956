import { lateLinks } from "../app/late-links";
import { type HeadElement, meta, pageHead } from "../app/page-head";
import { landing, type Page } from "../app/routes";
import words from "../words.json";
import { placeholders, sectionWith, sectionWithOrigin } from "./placeholders";
import { structuredData } from "./structured-data";
import { themeColors } from "./theme-colors";

const indent = "\n    ";

const socialImageAlt = `${placeholders.appName}: ${words.headline}. ${words.caption}`;

/** Open Graph requires an absolute URL for the image. Without it, a large card would be empty. */
const socialImage = [
  meta("name", "twitter:card", "summary_large_image"),
  meta("property", "og:image", `${placeholders.origin}/og.png`),
  meta("property", "og:image:width", "1200"),
  meta("property", "og:image:height", "630"),
  meta("property", "og:image:alt", socialImageAlt),
  meta("name", "twitter:image:alt", socialImageAlt),
];

/** The elements of the document head that `index.html` does not have (PAGE-23). `iconUrl` is a data URL of an SVG. */
export function documentHead(page: Page, shell: string, iconUrl: string): string {
  const { title, description, social, canonical, robots } = pageHead(page, placeholders.appName, placeholders.origin);
  const theme = themeColors(shell);
  const lines = [
    `<title>${escaped(title)}</title>`,
    html(description) + robots.map(line).join("") + originLines(canonical),
    `<meta name="theme-color" content="${theme.light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${theme.dark}" media="(prefers-color-scheme: dark)">`,
    // Without an icon in the document, browsers request /favicon.ico, often before the first paint.
    `<link rel="icon" href="${iconUrl}" type="image/svg+xml">`,
    `<noscript>${lateLinks.map(link).join("")}</noscript>`,
    html(meta("property", "og:type", "website")) +
      // Safari offers this app (https://developer.apple.com/documentation/webkit/promoting-apps-with-smart-app-banners).
      sectionWith("appStoreId", line(meta("name", "apple-itunes-app", `app-id=${placeholders.appStoreId}`))),
    html(meta("property", "og:site_name", placeholders.appName)) + originLines(socialImage),
    ...social.map(html),
    ...(page === landing ? [`<script type="application/ld+json">${structuredData()}</script>`] : []),
  ];
  return lines.join(indent);
}

/** A section that includes its line breaks, so a site without an origin has no blank lines. */
function originLines(elements: readonly HeadElement[]): string {
  return elements.length > 0 ? sectionWithOrigin(elements.map(line).join("")) : "";
}

function link(attributes: Readonly<Record<string, string>>): string {
  return `<link ${Object.entries(attributes)
    .map(([name, value]) => `${name.toLowerCase()}="${value}"`)
    .join(" ")}>`;
}

function line(element: HeadElement): string {
  return indent + html(element);
}

function html({ tag, key, value }: HeadElement): string {
  return `<${tag} ${key[0]}="${key[1]}" ${value[0]}="${escaped(value[1])}">`;
}

/** The owner's words for HTML. The server escapes the values of the placeholders. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
