import { pageAt, routes } from "../app/routes";

/** Brings the head of the document up to date with the page at `path`; the prerender wrote the first one. */
export function describePage(path: string, appName: string): void {
  const page = pageAt(path);
  const title = page.title(appName);
  const description = page.description(appName);
  document.title = title;
  setContent('meta[name="description"]', description);
  setContent('meta[property="og:title"]', title);
  setContent('meta[property="og:description"]', description);

  // An unknown path has no address of its own and is not to be listed: search engines that run scripts read this too.
  for (const tag of document.querySelectorAll(addressTags)) tag.remove();
  const { origin } = document.documentElement.dataset;
  if (!routes.some((route) => route.path === path)) {
    addToHead("meta", { name: "robots", content: "noindex" });
  } else if (origin) {
    addToHead("link", { rel: "canonical", href: origin + path });
    addToHead("meta", { property: "og:url", content: origin + path });
  }
}

const addressTags = 'link[rel="canonical"], meta[property="og:url"], meta[name="robots"]';

function setContent(selector: string, content: string): void {
  document.querySelector(selector)?.setAttribute("content", content);
}

function addToHead(name: "link" | "meta", attributes: Record<string, string>): void {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  document.head.append(element);
}
