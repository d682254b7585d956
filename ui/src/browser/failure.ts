import { drafts } from "../app/components/field";
import { servedAt } from "./page-path";

/**
 * Remembers the served page. Returns what to do after an uncaught error, when React has removed the page, and each removed
 * field has stored its value in `drafts` (PAGE-19):
 *
 * | the visitor is on   | shown                                  | what was typed                       |
 * |---------------------|----------------------------------------|--------------------------------------|
 * | the served page     | its served elements, without React     | is written into their fields         |
 * | another page        | its document, which is loaded          | is in the history entry meanwhile    |
 */
export function rememberServedPage(root: HTMLElement): (error: unknown) => void {
  // Its pictures belong to a document that loads none: a second use of the hero picture can stop its animation for good
  // in Chromium.
  const served = document.implementation.createHTMLDocument().importNode(root, true);
  return (error) => {
    if (location.pathname === servedAt) {
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
}

/** Takes what was typed before the reload out of the history entry. */
export function restoreDrafts(): void {
  const { drafts: typed, ...state } = history.state ?? {};
  if (!typed) return;
  for (const [id, value] of typed) drafts.set(id, value);
  history.replaceState(state, "");
}
