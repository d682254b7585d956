import { useSyncExternalStore } from "react";

/** Below the place, in rem from the top of the window, at which a link to a section puts its heading. */
const ARRIVED = 6;

/**
 * The id of the section that is read: the last section whose heading has arrived at the top of the window. The last sections
 * may be too short for that, so at the end of the page it is the addressed section, or the last. At the top of the page it
 * is the first. Undefined in the prerendered page.
 */
export function useCurrentSection(): string | undefined {
  return useSyncExternalStore(subscribe, currentSection, () => undefined);
}

function subscribe(notify: () => void): () => void {
  const listeners = new AbortController();
  // A link to a section that is on the screen may not scroll, and neither may a phone that is turned.
  for (const type of ["scroll", "hashchange", "resize"]) addEventListener(type, notify, { signal: listeners.signal });
  return () => listeners.abort();
}

function currentSection(): string | undefined {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const sections = [...document.querySelectorAll("article section")];
  const top = (section: Element) => section.getBoundingClientRect().top;
  if (scrollY > 0 && scrollY + innerHeight > document.documentElement.scrollHeight - 1) {
    return (sections.find((section) => section.matches(":target") && top(section) > 0) ?? sections.at(-1))?.id;
  }
  return (sections.filter((section) => top(section) < ARRIVED * rem).at(-1) ?? sections[0])?.id;
}
