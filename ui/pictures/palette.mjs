import { readFileSync } from "node:fs";

const tokens = readFileSync(new URL("../src/styles/tokens.css", import.meta.url), "utf8");
const light = tokens.slice(tokens.indexOf(":root"), tokens.indexOf("@media"));

/** The colours of the site's light colour scheme, keyed by the name of their token without `--color-`. */
export const palette = Object.fromEntries(
  [...light.matchAll(/--color-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
);
