/**
 * The `link` elements of the manifest and of the icons that are files (PAGE-26). Each file would be requested before the
 * first paint if its link were in the document, so the start script adds them later. For browsers without JavaScript, the
 * document has them in a `noscript` element.
 */
export const lateLinks: readonly Readonly<Record<string, string>>[] = [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  // Otherwise the browser requests it without the visitor's name and password, which a preview of the site may want.
  { rel: "manifest", href: "/site.webmanifest", crossOrigin: "use-credentials" },
];
