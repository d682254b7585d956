import { lateLinks } from "../app/late-links";

/** Milliseconds after `load`, for browsers that do not report their first paint. */
const FIRST_PAINT_TIMEOUT = 1000;

/**
 * The URLs of React and of the app. In the template, no browser loads them. Parcel makes this script a part of the
 * document, so that no request for a script precedes the first paint (PAGE-35, DECISION-4).
 */
const [librariesUrl, appUrl] = Array.from(
  (document.getElementById("scripts") as HTMLTemplateElement).content.children,
  // A mirror may have made the path relative to the document.
  (script) => new URL(script.getAttribute("src") as string, location.href).href,
) as [string, string];

/** Without the link, the app would be requested once the libraries have run. */
const preload = { rel: "modulepreload", href: appUrl };

// Not every browser has it (https://wicg.github.io/savedata/).
const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };

const firstAction = new Promise<unknown>((resolve) => {
  for (const type of ["pointerdown", "focusin", "submit"]) addEventListener(type, resolve);
});

// On a slow connection the text and the hero picture come first (PAGE-18). Links work before React is loaded.
addEventListener("load", () => {
  const firstPaint = new Promise<unknown>((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    setTimeout(resolve, FIRST_PAINT_TIMEOUT);
  });
  (connection?.saveData ? firstAction : firstPaint)
    .then(() => {
      document.head.append(...[preload, ...lateLinks].map(createLink));
      return import(librariesUrl);
    })
    .then(() => import(appUrl))
    .catch((error) => {
      replaceSendButton();
      throw error;
    });
});

// The app reports that it has failed after it was loaded.
addEventListener("app-failed", replaceSendButton);

// Before the app is loaded, the form waits for it (PAGE-10, contact-form.tsx).
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  (event.target as HTMLElement).dataset.sending = "true";
});

// Leaving cancels it, also if the browser keeps the page for Back.
addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll<HTMLElement>("[data-sending]")) delete form.dataset.sending;
});

// The last step of this script: if it does not run to its end, the form shows after a while that it does not work.
const failed = document.querySelector<HTMLElement>(".form-failed");
if (failed) failed.hidden = true;

/** Without the app, the contact form shows the support address in place of its button (PAGE-19). */
function replaceSendButton(): void {
  const notice = document.querySelector<HTMLElement>(".form-failed");
  if (!notice) return;
  // Screen readers announce an alert when it appears.
  notice.setAttribute("role", "alert");
  notice.hidden = false;
  const button = document.querySelector("form button");
  if (document.activeElement === button) notice.querySelector("a")?.focus();
  button?.remove();
}

function createLink(attributes: Readonly<Record<string, string>>): HTMLLinkElement {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  return link;
}
