import { lateLinks } from "../app/late-links";

/** Milliseconds that the app waits for the font, the pictures and the first paint. A server may never answer a request. */
const PAINT_TIMEOUT = 5000;

/** Milliseconds after which a form without the app shows the support address. */
const APP_TIMEOUT = 10_000;

/**
 * The URLs of React and of the app. In the template, no browser loads them. Parcel makes this script a part of the
 * document, so no request for a script precedes the first paint (PAGE-35, DECISION-4).
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

loadApp().catch((error) => {
  replaceSendButton();
  throw error;
});

async function loadApp(): Promise<void> {
  // On a slow connection the text and the hero picture come first (PAGE-18). Links work before React is loaded.
  const painted = new Promise((resolve) => {
    addEventListener("load", () => new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }));
    setTimeout(resolve, PAINT_TIMEOUT);
  });
  if (connection?.saveData) await firstAction;
  const timer = setTimeout(replaceSendButton, APP_TIMEOUT);
  await painted;
  document.head.append(...[preload, ...lateLinks].map(createLink));
  await import(librariesUrl);
  await import(appUrl);
  clearTimeout(timer);
}

// The app reports that it has failed after it was loaded.
addEventListener("app-failed", replaceSendButton);

// Before the app is loaded, the form waits for it (PAGE-10, contact-form.tsx).
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  (event.target as HTMLElement).dataset.sending = "true";
});

// Leaving cancels it, even if the browser keeps the page for Back.
addEventListener("pagehide", () => {
  delete document.querySelector<HTMLElement>(".contact-form")?.dataset.sending;
});

// The last step of this script: if it does not run to its end, the form shows after a while that it does not work.
document.querySelector(".form-failed")?.setAttribute("hidden", "");

/**
 * Without the app, the contact form shows the support address in place of its button (PAGE-19). The sentence is an attribute
 * until then, because programs without a script read every text of the document (PAGE-20).
 */
function replaceSendButton(): void {
  const notice = document.querySelector<HTMLElement>(".form-failed");
  const text = notice?.dataset.text;
  if (!text) return;
  delete notice.dataset.text;
  // Screen readers announce an alert when it appears.
  notice.setAttribute("role", "alert");
  notice.hidden = false;
  const link = document.querySelector(".contact-links a")?.cloneNode(true) as HTMLElement;
  const [before, after] = text.split(link.textContent) as [string, string];
  notice.append(before, link, after);
  const button = document.querySelector(".contact-form .button");
  if (document.activeElement === button) link.focus();
  button?.remove();
}

function createLink(properties: Readonly<Record<string, string>>): HTMLLinkElement {
  return Object.assign(document.createElement("link"), properties);
}
