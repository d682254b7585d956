import { useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { type AroundNavHandler, useLocation } from "wouter";
import { replaceHead } from "./replace-head";

const reducedMotion = "(prefers-reduced-motion: reduce)";

/**
 * Follows a link inside the site. wouter moves neither the view nor the focus;
 * Back and Forward do not come through here, so that the browser restores
 * their scroll position by itself.
 */
export const followLink: AroundNavHandler = (navigate, to, options) => {
  // The browser would not add a second history entry for the same address either.
  const replace = to === location.pathname + location.hash || options?.replace === true;
  const changePage = () => {
    flushSync(() => navigate(to, { ...options, replace }));
    const anchor = location.hash && document.getElementById(location.hash.slice(1));
    if (anchor) anchor.scrollIntoView();
    else scrollTo({ top: 0, behavior: "instant" });
    focusHeading();
  };
  if (typeof document.startViewTransition === "function" && !matchMedia(reducedMotion).matches) {
    // A second link followed meanwhile ends the animation early: the page has changed all the same.
    document.startViewTransition(changePage).ready.catch(() => {});
  } else {
    changePage();
  }
};

/** Keeps the head and the focus with the page, however it was reached. */
export function PageChange({ appName }: { appName: string }): null {
  const [path] = useLocation();
  // A prerendered document has the head of its page; the shell of `npm run dev` has none.
  const shown = useRef(document.title ? path : undefined);

  useLayoutEffect(() => {
    const previous = shown.current;
    if (previous === path) return;
    shown.current = path;
    replaceHead(previous, path, appName);
    if (previous !== undefined) focusHeading();
  }, [path, appName]);

  return null;
}

function focusHeading(): void {
  document.querySelector("h1")?.focus({ preventScroll: true });
}
