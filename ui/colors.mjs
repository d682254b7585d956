// Reads the colours of tokens.css, for contrast.mjs and the picture scripts.

import { readFileSync } from "node:fs";

const FILE = "src/styles/tokens.css";

/**
 * The colours of each `@media` block, keyed by the name of their token without `--color-`. The block `all` stands for
 * everything outside of `@media` blocks. Throws if a colour is not `#` with six lowercase hexadecimal digits: the
 * callers calculate with the digits and write them into SVG.
 */
export function colorsByBlock() {
  const css = readFileSync(new URL(FILE, import.meta.url), "utf8");
  const blocks = new Map([["all", {}]]);
  let block = "all";
  for (const line of css.split("\n")) {
    const query = line.match(/^@media (.+) \{$/)?.[1];
    if (query) {
      block = query;
      if (!blocks.has(block)) blocks.set(block, {});
    }
    if (line === "}") block = "all";
    if (!line.trimStart().startsWith("--color-")) continue;
    const [, name, value] = line.match(/--color-([\w-]+): (#[0-9a-f]{6});/) ?? [];
    if (!name) throw new Error(`ui/${FILE}: "${line.trim()}" is not a colour such as #00ff7f in lowercase`);
    blocks.get(block)[name] = value;
  }
  return blocks;
}
