import { useEffect, useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { type AroundNavHandler, useLocation } from "wouter";
import { withoutAlias } from "../app/routes";
import { replaceHead } from "./replace-head";

const reducedMotion = "(prefers-reduced-motion: reduce)";

/**
 * Shows the target of a link inside the site (PAGE-16, DECISION-60), and moves the scroll position and the focus, which
 * wouter does not. A view transition animates the change (PAGE-32). Back and Forward do not call this function: the
 * browser restores their scroll position (PAGE-17).
 */
export const followLink: AroundNavHandler = (navigate, link, options) => {
  const to = withoutAlias(link);
  // Safari gives a link that is clicked no focus, so it is not the active element.
  const clicked = window.event?.target as Element | undefined;
  const followed = [...document.links].indexOf(clicked?.closest("a") as HTMLAnchorElement);
  const { pathname, search, hash } = location;
  // As in the browser, a link to the current URL adds no history entry.
  const replace = to === pathname + search + hash;
  const changePage = () => {
    history.replaceState({ ...history.state, followed }, "");
    flushSync(() => navigate(to, { ...options, replace }));
    if (hash) setTarget("#");
    scrollTo({ top: 0, behavior: "instant" });
    // PageChange does not do it if the path is the same.
    heading()?.focus({ preventScroll: true });
  };
  if (typeof document.startViewTransition === "function" && !matchMedia(reducedMotion).matches) {
    // `ready` is rejected if another navigation skips this transition. The page has changed in any case.
    document.startViewTransition(changePage).ready.catch(() => {});
  } else {
    changePage();
  }
};

/**
 * Makes `:target` (PAGE-6) match the section of `hash`, or none if it is empty. Only a navigation to a fragment does, which
 * then gets its former URL and state.
 */
function setTarget(hash: string): void {
  const { href } = location;
  const { state } = history;
  location.replace(hash);
  history.replaceState(state, "", href);
}

/** Updates the document head and the focus after each change of the path, including Back and Forward. */
export function PageChange({ appName }: { appName: string }): null {
  const [path] = useLocation();
  // A prerendered document has the head of its page; the shell of `npm run dev` has none.
  const shownPath = useRef(document.title ? path : undefined);

  useLayoutEffect(() => {
    const previous = shownPath.current;
    if (previous === path) return;
    shownPath.current = path;
    replaceHead(previous, path, appName);
    // WebKit looks for the section after Back before its page is there.
    if (location.hash && !document.querySelector(":target")) setTarget(location.hash);
    if (previous !== undefined) (followedLink() ?? heading())?.focus({ preventScroll: true });
  }, [path, appName]);

  // React has taken over the page. Tests wait for it.
  useEffect(() => document.getElementById("root")?.setAttribute("data-ready", ""), []);

  return null;
}

function heading(): HTMLElement | null {
  return document.querySelector("h1");
}

/** The link by which the visitor left this entry of the history, to which Back returns (PAGE-17). */
function followedLink(): HTMLElement | undefined {
  return document.links[history.state?.followed];
}
