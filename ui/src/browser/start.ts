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
    .then(({ loadApp }) => loadApp())
    .catch((error) => {
      replaceSendButton();
      throw error;
    });
});

// The app prevents the default action itself. Before it is loaded, the form waits for it (contact-form.tsx).
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  (event.target as HTMLElement).dataset.sending = "true";
});

/** Without the app, the contact form shows the support address in place of its button. */
function replaceSendButton(): void {
  const notice = document.querySelector<HTMLElement>(".form-failed");
  if (!notice) return;
  // Screen readers announce an alert when it appears.
  notice.setAttribute("role", "alert");
  notice.hidden = false;
  notice.nextElementSibling?.remove();
}

function create(attributes: Readonly<Record<string, string>>): HTMLLinkElement {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  return link;
}
