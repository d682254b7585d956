import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app";
import { documentSettings } from "./document-settings";

const root = document.getElementById("root");
if (!root) throw new Error("The document has no element with the id root");

const app = <App settings={documentSettings()} />;

if (root.firstElementChild) {
  hydrate(root);
} else {
  createRoot(root).render(app);
}

/** A script that fails must not take the text away: the page that was served comes back. */
function hydrate(root: HTMLElement): void {
  const served = root.cloneNode(true);
  const servedPath = location.pathname;
  // React hydrates a transition in slices of 5 ms, so that a tap never waits for the whole page.
  startTransition(() => {
    hydrateRoot(root, app, {
      onUncaughtError(error) {
        console.error(error);
        if (location.pathname === servedPath) root.replaceWith(served);
        else location.reload();
      },
    });
  });
}
