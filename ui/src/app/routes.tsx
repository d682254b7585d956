import type { ComponentType } from "react";
import { Contact } from "./pages/contact";
import { Landing } from "./pages/landing";
import { NotFound } from "./pages/not-found";
import { Privacy } from "./pages/privacy";
import { Terms } from "./pages/terms";

/** What is known about a page before it is rendered. */
export interface Page {
  readonly title: (appName: string) => string;
  readonly description: (appName: string) => string;
  readonly component: ComponentType;
}

export interface Route extends Page {
  readonly path: string;
  /** The file that is prerendered; the server takes its routes from these names. */
  readonly file: string;
}

export const landing: Route = {
  path: "/",
  file: "index.html",
  title: (appName) => `${appName}: log your favourite tiktok recipes using AI`,
  description: (appName) =>
    `${appName} turns your TikTok cooking discoveries into organized recipes with the power of AI.`,
  component: Landing,
};

/** The one list of routes: the router, the prerendered files, sitemap.xml and llms.txt follow it. */
export const routes: readonly Route[] = [
  landing,
  {
    path: "/privacy",
    file: "privacy.html",
    title: (appName) => `Privacy Policy · ${appName}`,
    description: (appName) =>
      `What ${appName} collects, how it is used and shared, and the rights you have over your personal information.`,
    component: Privacy,
  },
  {
    path: "/terms",
    file: "terms.html",
    title: (appName) => `Terms of Service · ${appName}`,
    description: (appName) => `The rules for using ${appName}: the service, your content, your obligations and ours.`,
    component: Terms,
  },
  {
    path: "/contact",
    file: "contact.html",
    title: (appName) => `Contact Us · ${appName}`,
    description: (appName) => `Questions, feedback or trouble with a recipe? Write to the ${appName} team.`,
    component: Contact,
  },
];

/** Any other path. */
export const notFound: Page = {
  title: (appName) => `Page not found · ${appName}`,
  description: (appName) => `There is no ${appName} page at this address. The landing page is one link away.`,
  component: NotFound,
};

export const notFoundFile = "404.html";

export function pageAt(path: string): Page {
  return routes.find((route) => route.path === path) ?? notFound;
}
