import { windowLinks } from "../app/window-links";

/** Milliseconds after `load`, for browsers that do not report their first paint. */
const FIRST_PAINT_TIMEOUT = 1000;

// On a slow connection the text and the hero picture come first. Links work before React is loaded.
addEventListener("load", () => {
  const firstPaint = new Promise<unknown>((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    setTimeout(resolve, FIRST_PAINT_TIMEOUT);
  });
  firstPaint
    .then(() => {
      document.head.append(...windowLinks.map(create));
      return import("./libraries");
    })
    .then(({ loadApp }) => loadApp());
});

function create(attributes: Readonly<Record<string, string>>): HTMLLinkElement {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  return link;
}
