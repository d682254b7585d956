import { colorsByBlock } from "../colors.mjs";

/** An unknown name is an error: a template would draw `undefined`. */
const strict = (colors) =>
  new Proxy(colors, {
    get(all, name) {
      if (!(name in all)) throw new Error(`palette.mjs or tokens.css has no colour ${String(name)}`);
      return all[name];
    },
  });

/** The tokens that drawings use. */
const DRAWN = ["ground", "surface", "saffron", "ink", "ink-soft", "tomato", "edge", "hairline"];

const drawn = (colors) => Object.fromEntries(DRAWN.map((name) => [name, colors[name]]));

const tokens = colorsByBlock();
const light = strict(tokens.get("all"));
const dark = strict({ ...light, ...tokens.get("screen and (prefers-color-scheme: dark)") });

/**
 * The colours of the site's colour schemes, keyed by the name of their token without `--color-`, and the colours that
 * only the pictures have.
 */
export const palettes = {
  light: strict({
    ...drawn(light),
    card: light.linen,
    cloth: ["#f7f5ec", "#d3ddcf"],
    pill: "#ffffff",
    check: light.herb,
    step: light.saffron,
    shadow: "#2a1202",
  }),
  dark: strict({
    ...drawn(dark),
    // The app stands out from the black bezel of the phone, and its cards from the app.
    ground: "#34271c",
    card: "#4b3a2b",
    hairline: "#5b4837",
    cloth: ["#bfae8f", "#857257"],
    pill: "#fff1d6",
    // Between the app and the pills.
    check: "#4a8549",
    step: dark.tomato,
    shadow: "#000000",
  }),
};
