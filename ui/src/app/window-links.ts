/**
 * The links that concern the window of the browser and the home screen (PAGE-26), besides the icon in the document.
 * Each would be requested before the first paint if it were in the document, so the start script adds them. For
 * browsers without JavaScript, the document has them in a `noscript` element.
 */
export const windowLinks: readonly Readonly<Record<string, string>>[] = [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];
