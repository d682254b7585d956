import { landing } from "../app/routes";
import { jsonPlaces, withOrigin } from "./places";

/**
 * The app and the organisation behind it as one JSON-LD graph of schema.org.
 * Written out because sections with a comma inside are not JSON before they are filled.
 */
export function structuredData(): string {
  const { appName, supportEmail, origin } = jsonPlaces;
  const organization = [
    withOrigin(`"url":"${origin}/","logo":"${origin}/icon-512.png",`),
    `"name":"${appName}","email":"${supportEmail}"`,
  ];
  const app = [
    withOrigin(`"url":"${origin}/","image":"${origin}/og.png",`),
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
