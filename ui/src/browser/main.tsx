import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { type BaseLocationHook, Router } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";
import { App } from "../app/app";
import { drafts } from "../app/components/drafts";
import { withoutAlias } from "../app/routes";
import { documentSettings } from "./document-settings";
import { followLink, PageChange } from "./navigation";
import { watchServedPage } from "./served-page";

const root = document.getElementById("root");
if (!root) throw new Error("The document has no element with the id root");

/**
 * The path of a page. The document decides which page it is: its address can differ from ours, such as
 * `/contact.html` on a plain host, or a folder of a mirror.
 */
const servedAt = location.pathname;
const servedPath = root.dataset.path ?? (root.firstElementChild ? servedAt : withoutAlias(servedAt));
const usePagePath: BaseLocationHook = (router) => {
  const [path, navigate] = useBrowserLocation(router);
  return [path === servedAt ? servedPath : withoutAlias(path), navigate];
};

// After an uncaught error, the page is loaded (see below).
const { drafts: typed, ...state } = history.state ?? {};
if (typed) {
  for (const [id, value] of typed) drafts.set(id, value);
  history.replaceState(state, "");
}

const settings = documentSettings();
const app = (
  <Router hook={usePagePath} aroundNav={followLink}>
    <PageChange appName={settings.appName} />
    <App settings={settings} />
  </Router>
);

if (root.firstElementChild) hydrate(root);
// The shell that `npm run dev` serves has no content.
else if (process.env.NODE_ENV !== "production") createRoot(root).render(<StrictMode>{app}</StrictMode>);

/**
 * PAGE-18. If React cannot use the served elements, it calls `onRecoverableError` instead of writing to the console
 * (PAGE-38). After an uncaught error the page shows the served document again: its text stays readable (PAGE-19).
 */
function hydrate(root: HTMLElement): void {
  // Its pictures belong to a document that loads none: a second use of the hero picture can stop its animation for good
  // in Chromium.
  const served = document.implementation.createHTMLDocument().importNode(root, true);
  const continuePage = watchServedPage(root);
  const fail = (error: unknown) => {
    if (location.pathname === servedAt) {
      // The served form has empty fields. React has removed the page, and each removed field has stored its value in `drafts`.
      for (const control of served.querySelectorAll<HTMLInputElement>("input, textarea")) {
        control.value = drafts.get(control.id) ?? control.value;
      }
      root.replaceWith(served);
    } else {
      history.replaceState({ ...history.state, drafts: [...drafts] }, "");
      location.reload();
    }
    dispatchEvent(new Event("app-failed"));
    reportError(error);
  };
  // React hydrates a transition in slices of 5 ms, between which the page responds to input.
  startTransition(() => {
    try {
      const reactRoot = hydrateRoot(root, app, {
        onRecoverableError: () => continuePage(() => reactRoot.unmount()),
        onUncaughtError: fail,
      });
    } catch (error) {
      // React would only report it.
      fail(error);
    }
  });
}
