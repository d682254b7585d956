import { type HeadElement, type PageHead, pageHead } from "../app/page-head";
import { pageAt } from "../app/routes";

/**
 * Removes the elements of `pageHead` for the path `previous`, unless it is undefined, and adds those for `path`
 * (PAGE-16, PAGE-24).
 */
export function replaceHead(previous: string | undefined, path: string, appName: string): void {
  const { origin } = document.documentElement.dataset;
  if (previous !== undefined) {
    for (const element of elements(pageHead(pageAt(previous), appName, origin))) find(element)?.remove();
  }
  const head = pageHead(pageAt(path), appName, origin);
  document.title = head.title;
  document.head.append(...elements(head).map(createElement));
}

function elements({ description, social, canonical, robots }: PageHead): HeadElement[] {
  return [description, ...social, ...canonical, ...robots];
}

function find({ tag, key: [name, value] }: HeadElement): Element | null {
  return document.head.querySelector(`${tag}[${name}="${value}"]`);
}

function createElement({ tag, key, value }: HeadElement): Element {
  const element = document.createElement(tag);
  element.setAttribute(...key);
  element.setAttribute(...value);
  return element;
}
