import words from "../words.json";
import { jsonPlaceholders, sectionWith, sectionWithOrigin } from "./placeholders";

const { appName, supportEmail, origin, appStoreUrl, playStoreUrl } = jsonPlaceholders;

/**
 * The publisher, the site and the mobile app as a JSON-LD graph with the vocabulary of schema.org (PAGE-25). It is not made
 * by JSON.stringify: the sections contain commas, so only the rendered template is JSON.
 */
export function structuredData(): string {
  const publisher = [
    sectionWithOrigin(`"url":"${origin}/","logo":"${origin}/icon-512.png",`),
    `"name":"${appName}","email":"${supportEmail}"`,
  ];
  return [
    `{"@context":"https://schema.org","@graph":[{"@type":"Organization","@id":"#publisher",${publisher.join("")}}`,
    // Without it, Google shows the domain in place of the name.
    sectionWithOrigin(`,{"@type":"WebSite","name":"${appName}","url":"${origin}/","publisher":{"@id":"#publisher"}}`),
    sectionWith("appStoreUrl", app(appStoreUrl)),
    sectionWith("playStoreUrl", app(playStoreUrl)),
    "]}",
  ].join("");
}

/** The app in a store. JSON-LD merges objects with one id. Without a store, there is no app to offer. */
function app(store: string): string {
  const type = `"@type":"MobileApplication","@id":"#app","applicationCategory":"${words.category}"`;
  const description = JSON.stringify(words.subheading).replaceAll("<", "\\u003c");
  return `,{${type},"name":"${appName}","description":${description},"installUrl":"${store}"}`;
}
