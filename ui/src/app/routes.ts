import type { ComponentType } from "react";
import words from "../words.json";
import type { Path } from "./components/nav-link";
import { Contact } from "./pages/contact";
import { Landing } from "./pages/landing";
import { NotFound } from "./pages/not-found";
import { Privacy } from "./pages/privacy";
import { Terms } from "./pages/terms";

export interface Page {
  /** Undefined for the not-found page. */
  readonly path?: string;
  readonly title: (appName: string) => string;
  readonly description: (appName: string) => string;
  readonly component: ComponentType;
}

export interface RoutedPage extends Page {
  readonly path: Path;
  /** Other paths that lead to this page, such as its addresses on a former site. */
  readonly aliases?: readonly string[];
}

const pages: Readonly<Record<Path, Omit<RoutedPage, "path">>> = {
  "/": {
    title: (appName) => `${appName}: ${words.headline}`,
    description: () => words.subheading,
    component: Landing,
  },
  "/privacy": {
    aliases: ["/privacy-policy"],
    title: (appName) => `Privacy Policy · ${appName}`,
    description: (appName) =>
      `What ${appName} collects, how it is used and shared, and the rights you have over your personal information.`,
    component: Privacy,
  },
  "/terms": {
    aliases: ["/terms-of-service"],
    title: (appName) => `Terms of Service · ${appName}`,
    description: (appName) => `The rules for using ${appName}: the service, your content, your obligations and ours.`,
    component: Terms,
  },
  "/contact": {
    aliases: ["/contact-us"],
    title: (appName) => `Contact Us · ${appName}`,
    description: (appName) => `A question, an idea or trouble with the app? Write to the ${appName} team.`,
    component: Contact,
  },
};

/**
 * The list of routes (PAGE-1). The router, the prerendered documents, the redirects to them, sitemap.xml and llms.txt are
 * derived from it. The server derives its routes from the redirects.
 */
export const routes: readonly RoutedPage[] = (Object.keys(pages) as Path[]).map((path) => ({ path, ...pages[path] }));

/** The page for all other paths. */
export const notFound: Page = {
  title: (appName) => `Page not found · ${appName}`,
  description: (appName) => `There is no ${appName} page at this address. Go to the home page.`,
  component: NotFound,
};

export function pageAt(path: string): Page {
  return routes.find((route) => route.path === path) ?? notFound;
}

export const landing = pageAt("/");

/** The path of the page with the alias `path`, or `path` itself. */
export function withoutAlias(path: string): string {
  return routes.find(({ aliases }) => aliases?.includes(path))?.path ?? path;
}
