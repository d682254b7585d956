// Checks that the pictures, which a script draws by hand, have the colours of tokens.css. Prints the missing ones, and then
// exits with 1.
//   node drawn-colors.mjs

import { existsSync, readFileSync } from "node:fs";
import { palettes } from "./pictures/palette.mjs";

/**
 * Each picture with the colours that it shows. The saffron of the social picture has no place in the hero picture, and the
 * narrow one has no card in the app.
 */
const PICTURES = [
  ...Object.entries(palettes).flatMap(([scheme, { saffron, shadow, card, ...palette }]) => [
    [`src/art/hero-wide-${scheme}.svg`, Object.entries({ ...palette, card })],
    [`src/art/hero-narrow-${scheme}.svg`, Object.entries(palette)],
  ]),
  ["public/og.png", Object.entries(palettes.light).filter(([name]) => ["ground", "saffron", "ink"].includes(name))],
];

/** The colours of an SVG, or of the palette of a PNG; undefined for a PNG without one. */
function colors(path) {
  const file = readFileSync(new URL(path, import.meta.url));
  if (path.endsWith(".svg"))
    return new Set(
      file
        .toString()
        .match(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/g)
        ?.map(long),
    );
  const start = file.indexOf("PLTE") + 4;
  if (start < 4) return undefined;
  const digits = file.subarray(start, start + file.readUInt32BE(start - 8)).toString("hex");
  return new Set(digits.match(/.{6}/g).map((color) => `#${color}`));
}

/** `#ffffff` for `#fff`. */
function long(color) {
  return color.length === 7 ? color : color.replace(/[^#]/g, "$&$&");
}

for (const [path, expected] of PICTURES) {
  // An owner may have another picture. The social picture then contains it.
  const isDrawn = [path, "src/art/hero-wide-light.svg"].every((file) => existsSync(new URL(file, import.meta.url)));
  const found = isDrawn && colors(path);
  if (!found) continue;
  for (const [name, color] of expected) {
    if ([color].flat().every((each) => found.has(each))) continue;
    console.error(`ui/${path} does not have the colour ${name}, ${color}, of ui/src/styles/tokens.css`);
    process.exitCode = 1;
  }
}
if (process.exitCode) {
  console.error("Draw the pictures again: cd ui/pictures && npm install --include=dev && npm run generate");
  console.error("If a picture is your own, remove it from ui/drawn-colors.mjs.");
}
