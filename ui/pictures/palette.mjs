import { colorsByBlock } from "../colors.mjs";

/** An unknown name is an error: a template would draw `undefined`. */
const strict = (colors) =>
  new Proxy(colors, {
    get(all, name) {
      if (!(name in all)) throw new Error(`ui/src/styles/tokens.css does not define --color-${name}`);
      return all[name];
    },
  });

const tokens = colorsByBlock();
const light = strict(tokens.get("all"));
const dark = strict({ ...light, ...tokens.get("screen and (prefers-color-scheme: dark)") });

/**
 * The colours of the site's colour schemes, keyed by the name of their token without `--color-`, and those that only the
 * pictures have.
 */
export const palettes = {
  light: strict({
    ...light,
    card: light.linen,
    hairline: "#e9dfcd",
    pill: "#ffffff",
    step: light.saffron,
    shadow: "#2a1202",
  }),
  dark: strict({
    ...dark,
    card: dark.surface,
    hairline: "#43342a",
    pill: "#fff1d6",
    step: dark.tomato,
    shadow: "#000000",
  }),
};
