import type { Page } from "../app/routes";
import { places, withOrigin } from "./places";
import { structuredData } from "./structured-data";
import { themeColors } from "./theme";

const indent = "\n    ";

const socialImageAlt = `${places.appName}: Extract and log your favourite tiktok recipes using AI. A cooking video, and the recipe that it became on a phone.`;

/** What the head of a page says about it. A page without a path is not to be indexed. */
export function documentHead(page: Page, path: string | undefined, shell: string): string {
  const title = page.title(places.appName);
  const description = page.description(places.appName);
  const theme = themeColors(shell);
  // On lines of its own inside the section, so that a site without an origin has no blank ones.
  const address = path === undefined ? indent + meta("name", "robots", "noindex") : withOrigin(canonical(path));
  const lines = [
    `<title>${title}</title>`,
    meta("name", "description", description) + address,
    `<meta name="theme-color" content="${theme.light}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${theme.dark}" media="(prefers-color-scheme: dark)">`,
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
    meta("property", "og:type", "website"),
    meta("property", "og:site_name", places.appName),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("name", "twitter:card", "summary_large_image") + withOrigin(socialImage()),
    `<script type="application/ld+json">${structuredData()}</script>`,
  ];
  return lines.join(indent);
}

function canonical(path: string): string {
  const url = places.origin + path;
  return `${indent}<link rel="canonical" href="${url}">${indent}${meta("property", "og:url", url)}`;
}

/** Open Graph wants its image by a whole address. */
function socialImage(): string {
  const tags = [
    meta("property", "og:image", `${places.origin}/og.png`),
    meta("property", "og:image:width", "1200"),
    meta("property", "og:image:height", "630"),
    meta("property", "og:image:alt", socialImageAlt),
    meta("name", "twitter:image:alt", socialImageAlt),
  ];
  return tags.map((tag) => indent + tag).join("");
}

function meta(key: "name" | "property", name: string, content: string): string {
  return `<meta ${key}="${name}" content="${content}">`;
}
