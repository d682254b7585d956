import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router } from "wouter";
import { App } from "../app/app";
import { documentSettings } from "./document-settings";
import { rememberServedPage, restoreDrafts } from "./failure";
import { followLink, PageChange } from "./navigation";
import { usePagePath } from "./page-path";
import { watchServedPage } from "./served-page";

const root = document.getElementById("root");
if (!root) throw new Error("The document has no element with the id root");

restoreDrafts();
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
 * (PAGE-38). After an uncaught error the text of the page stays readable (PAGE-19).
 */
function hydrate(root: HTMLElement): void {
  const fail = rememberServedPage(root);
  const continuePage = watchServedPage(root);
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
