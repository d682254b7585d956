import { colorsByBlock } from "../colors.mjs";

/**
 * The colours of the site's light colour scheme, keyed by the name of their token without `--color-`. An unknown name is
 * an error: a template would draw `undefined`.
 */
export const palette = new Proxy(colorsByBlock().get("all"), {
  get(colors, name) {
    if (!(name in colors)) throw new Error(`ui/src/styles/tokens.css does not define --color-${name}`);
    return colors[name];
  },
});
