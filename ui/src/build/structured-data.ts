import { landing } from "../app/routes";
import { jsonPlaceholders, sectionWith, sectionWithOrigin } from "./placeholders";

/**
 * The mobile app and its publisher as a JSON-LD graph with the vocabulary of schema.org (PAGE-25). It is not made by
 * JSON.stringify: the sections contain commas, so only the rendered template is JSON.
 */
export function structuredData(): string {
  const { appName, supportEmail, origin, appStoreUrl, playStoreUrl } = jsonPlaceholders;
  const organization = [
    sectionWithOrigin(`"url":"${origin}/","logo":"${origin}/icon-512.png",`),
    `"name":"${appName}","email":"${supportEmail}"`,
  ];
  const app = [
    sectionWithOrigin(`"url":"${origin}/","image":"${origin}/og.png",`),
    `"name":"${appName}","description":"${landing.description(appName)}",`,
    `"applicationCategory":"LifestyleApplication","publisher":{"@type":"Organization",${organization.join("")}}`,
  ];
  return [
    '{"@context":"https://schema.org","@graph":[',
    `{"@type":"MobileApplication","@id":"#app",${app.join("")}}`,
    // JSON-LD merges objects with one id. A list in one object would need a comma between two sections.
    sectionWith("appStoreUrl", `,{"@id":"#app","installUrl":"${appStoreUrl}"}`),
    sectionWith("playStoreUrl", `,{"@id":"#app","installUrl":"${playStoreUrl}"}`),
    "]}",
  ].join("");
}
