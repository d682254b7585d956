import type { BaseLocationHook } from "wouter";
import { useBrowserLocation } from "wouter/use-browser-location";
import { withoutAlias } from "../app/routes";

/** The path in the address at which the document was served. */
export const servedAt = location.pathname;

const root = document.getElementById("root");

/**
 * The path of the page that was served. The document decides which page it is: its address can differ from ours, such as
 * `/contact.html` on a plain host (PAGE-18).
 */
const servedPath = root?.dataset.path ?? (root?.firstElementChild ? servedAt : withoutAlias(servedAt));

/** The path of the page that is shown, for the router. */
export const usePagePath: BaseLocationHook = (router) => {
  const [path, navigate] = useBrowserLocation(router);
  return [path === servedAt ? servedPath : withoutAlias(path), navigate];
};
