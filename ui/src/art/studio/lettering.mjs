// Text as outlines: a picture in <img> has no fonts of the page's, and system fonts differ from
// machine to machine. A letter's outline is the same text wherever it stands, which compresses best;
// one path a line, because letters placed by reference cost the browser an element each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import opentype from "opentype.js";
import { round as tenths } from "./shapes.mjs";

const require = createRequire(import.meta.url);

const FILES = {
  display: "@fontsource/young-serif/files/young-serif-latin-400-normal.woff",
  regular: "@fontsource/inter/files/inter-latin-400-normal.woff",
  bold: "@fontsource/inter/files/inter-latin-600-normal.woff",
};

// Outlines are kept in whole units of an em of this size; at 23 px that is a fourteenth of a pixel.
const EM = 320;

function load(file) {
  const bytes = readFileSync(require.resolve(file));
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

const fonts = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, load(file)]));

// Letter by letter with kerning: opentype.js's own layout refuses Inter's contextual substitutions.
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

/** The outlines of one line as a single path, for a picture in which few letters repeat. */
export function outline(text, x, y, style) {
  const { glyphs, width } = layOut(text, style);
  const paths = glyphs.map(({ glyph, x: offset }) => pathOf(glyph, x + offset, y, style.size, tenths));
  return { path: paths.join(""), width };
}

/** One line of text; `anchor` says which end, or the middle, of it stands at x. */
export function line(text, x, y, { face, size, fill, anchor = "start", tracking = 0 }) {
  const { glyphs, width } = layOut(text, { face, size: EM, tracking });
  const scale = size / EM;
  const start = x - { start: 0, middle: width / 2, end: width }[anchor] * scale;
  const paths = glyphs.map(({ glyph, x: offset }) => pathOf(glyph, Math.round(offset), 0, EM, Math.round));
  const place = `translate(${start.toFixed(1)} ${y})scale(${scale.toFixed(4)})`;
  return `<path fill="${fill}" transform="${place}" d="${paths.join("")}"/>`;
}
