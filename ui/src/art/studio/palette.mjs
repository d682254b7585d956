// The light scheme of styles/tokens.css, read from the file itself so that the pictures follow it.
import { readFileSync } from "node:fs";

const tokens = readFileSync(new URL("../../styles/tokens.css", import.meta.url), "utf8");
const light = tokens.slice(tokens.indexOf(":root"), tokens.indexOf("@media"));

export const palette = Object.fromEntries(
  [...light.matchAll(/--color-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
);
