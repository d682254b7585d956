import { landing } from "../app/routes";
import { jsonPlaceholders, sectionWithOrigin } from "./placeholders";

/**
 * The mobile app and its publisher as a JSON-LD graph with the vocabulary of schema.org (PAGE-25). It is not made by
 * JSON.stringify: the sections contain commas, so that only the rendered template is JSON.
 */
export function structuredData(): string {
  const { appName, supportEmail, origin } = jsonPlaceholders;
  const organization = [
    sectionWithOrigin(`"url":"${origin}/","logo":"${origin}/icon-512.png",`),
    `"name":"${appName}","email":"${supportEmail}"`,
  ];
  const app = [
    sectionWithOrigin(`"url":"${origin}/","image":"${origin}/og.png",`),
    `"name":"${appName}","description":"${landing.description(appName)}",`,
    '"applicationCategory":"LifestyleApplication","publisher":{"@id":"#organization"}',
  ];
  return [
    '{"@context":"https://schema.org","@graph":[',
    `{"@type":"Organization","@id":"#organization",${organization.join("")}},`,
    `{"@type":"MobileApplication","@id":"#app",${app.join("")}}`,
    "]}",
  ].join("");
}
