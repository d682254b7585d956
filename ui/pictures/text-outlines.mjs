// Text as paths. A picture in <img> cannot use the fonts of the page, and system fonts differ between machines.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype from "opentype.js";
import { round as toTenths } from "./shapes.mjs";

const require = createRequire(import.meta.url);

const FILES = {
  display: "@expo-google-fonts/young-serif/400Regular/YoungSerif_400Regular.ttf",
  regular: "@fontsource/inter/files/inter-latin-400-normal.woff",
  bold: "@fontsource/inter/files/inter-latin-600-normal.woff",
};

// Units per em of the outlines of `textLine`, for titles up to 23 px and for text up to 13.5 px. Coordinates are integers;
// the largest error is 1/14 px.
const EM = { display: 160, regular: 100, bold: 100 };

function load(file) {
  const bytes = readFileSync(require.resolve(file));
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

const fonts = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, load(file)]));

// Layout per letter with kerning: the layout of opentype.js fails on the contextual substitutions of Inter.
function layOut(text, { face, size, tracking = 0 }) {
  const font = fonts[face];
  const perUnit = size / font.unitsPerEm;
  let x = 0;
  let before;
  const glyphs = [...text].map((character) => {
    const glyph = font.charToGlyph(character);
    if (before) x += font.getKerningValue(before, glyph) * perUnit + tracking * size;
    const placed = { glyph, x };
    x += glyph.advanceWidth * perUnit;
    before = glyph;
    return placed;
  });
  return { glyphs, width: x };
}

function pathOf(glyph, x, y, size, round) {
  return glyph
    .getPath(x, y, size)
    .commands.map(({ type, x1, y1, x2, y2, x: toX, y: toY }) => {
      const numbers = [x1, y1, x2, y2, toX, toY].filter((number) => number !== undefined);
      return type + numbers.map(round).join(" ");
    })
    .join("");
}

/** The path and the width of a line of text with its origin at (x, y). `tracking` is in em. */
export function outline(text, x, y, style) {
  const { glyphs, width } = layOut(text, style);
  const paths = glyphs.map(({ glyph, x: offset }) => pathOf(glyph, x + offset, y, style.size, toTenths));
  return { path: paths.join(""), width };
}

/**
 * A `<path>` element for a line of text. x is the position of its start, middle or end, as `anchor` says.
 * The outline of a letter is the same string wherever the letter occurs, which Brotli compresses well. A `<use>` per
 * letter would be shorter, and slower to draw.
 */
export function textLine(text, x, y, { face, size, fill, anchor = "start", tracking = 0 }) {
  const em = EM[face];
  const { glyphs, width } = layOut(text, { face, size: em, tracking });
  const scale = size / em;
  const start = x - { start: 0, middle: width / 2, end: width }[anchor] * scale;
  const paths = glyphs.map(({ glyph, x: offset }) => pathOf(glyph, Math.round(offset), 0, em, Math.round));
  const transform = `translate(${start.toFixed(1)} ${y})scale(${scale.toFixed(4)})`;
  return `<path fill="${fill}" transform="${transform}" d="${paths.join("")}"/>`;
}
