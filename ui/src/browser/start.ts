import { lateLinks } from "../app/late-links";

/** Milliseconds that the app waits for the font, the pictures and the first paint. A server may never answer a request. */
const PAINT_TIMEOUT = 5000;

/** Milliseconds after which a form without the app says that it is late. */
const APP_TIMEOUT = 10_000;

/**
 * The URLs of React and of the app. In the template, no browser loads them. Parcel makes this script a part of the
 * document, so no request for a script precedes the first paint (PAGE-35, DECISION-4, DECISION-38).
 */
const [librariesUrl, appUrl] = Array.from(
  (document.getElementById("scripts") as HTMLTemplateElement).content.children,
  (script) => script.getAttribute("src"),
) as [string, string];

/** Without the link, the app would be requested once the libraries have run. */
const preload = { rel: "modulepreload", href: appUrl };

// Not every browser has it (https://wicg.github.io/savedata/).
const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };

const firstAction = new Promise<unknown>((resolve) => {
  for (const type of ["pointerdown", "focusin", "submit"]) addEventListener(type, resolve);
});

loadApp().catch((error) => {
  giveUp();
  throw error;
});

async function loadApp(): Promise<void> {
  // On a slow connection the text and the hero picture come first (PAGE-18). Links work before React is loaded.
  const painted = new Promise((resolve) => {
    addEventListener("load", () => new PerformanceObserver(resolve).observe({ type: "paint", buffered: true }));
    setTimeout(resolve, PAINT_TIMEOUT);
  });
  if (connection?.saveData) await firstAction;
  // A slow connection is no failure: the button stays, and an early submit is sent once the app is there.
  const timer = setTimeout(() => say("late"), APP_TIMEOUT);
  try {
    await painted;
    document.head.append(...[preload, ...lateLinks].map(createLink));
    await import(librariesUrl);
    await import(appUrl);
  } finally {
    clearTimeout(timer);
  }
  say();
}

// The app reports that it has failed after it was loaded.
addEventListener("app-failed", replaceSendButton);

// Before the app is loaded, the form waits for it (PAGE-10, contact-form.tsx).
addEventListener("submit", waitForApp);

function waitForApp(event: SubmitEvent): void {
  if (event.defaultPrevented) return;
  event.preventDefault();
  (event.target as HTMLElement).dataset.sending = "true";
}

// Leaving cancels it, even if the browser keeps the page for Back.
addEventListener("pagehide", () => {
  delete document.querySelector<HTMLElement>(".contact-form")?.dataset.sending;
});

// The last step of this script: if it does not run to its end, the form shows after a while that it does not work.
say();

/**
 * Shows one of the two sentences of contact-form.tsx below the button, with the support address, or none (PAGE-19). An
 * alert is the last one. The address is the document's setting: a proxy or a translation may have changed those in texts.
 */
function say(sentence?: "late" | "failed"): HTMLElement | undefined {
  const notice = document.querySelector<HTMLElement>(".form-notice:not([role=alert])");
  if (notice) notice.hidden = !sentence;
  if (!notice || !sentence) return undefined;
  const { supportEmail = "" } = document.documentElement.dataset;
  const link = Object.assign(document.createElement("a"), { href: `mailto:${supportEmail}`, translate: false });
  link.append(supportEmail);
  // Screen readers announce an alert when it appears.
  notice.setAttribute("role", sentence === "late" ? "status" : "alert");
  notice.replaceChildren(notice.dataset[sentence] as string, link, ".");
  return link;
}

/** Without the app, the browser sends a form that has a receiver. */
function giveUp(): void {
  removeEventListener("submit", waitForApp);
  const form = document.querySelector<HTMLFormElement>(".contact-form[method=post]");
  if (form) say();
  else replaceSendButton();
  if (!form?.dataset.sending) return;
  delete form.dataset.sending;
  form.requestSubmit();
}

/** The contact form gets the support address in place of its button. */
function replaceSendButton(): void {
  const link = say("failed");
  const button = document.querySelector(".contact-form .button");
  if (document.activeElement === button) link?.focus();
  button?.remove();
}

function createLink(properties: Readonly<Record<string, string>>): HTMLLinkElement {
  return Object.assign(document.createElement("link"), properties);
}
