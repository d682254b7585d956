import { readFileSync } from "node:fs";
import { heroDrawing, LAYOUTS, PHONE } from "./hero-picture.mjs";
import { mark } from "./mark.mjs";
import { palettes } from "./palette.mjs";
import { svgDocument } from "./svg-document.mjs";
import { outline } from "./text-outlines.mjs";

const { headline } = JSON.parse(readFileSync(new URL("../src/words.json", import.meta.url), "utf8"));

const CARD = { width: 1200, height: 630, title: "A shared link" };
/** Of the mark, the headline and the picture. */
const MARGIN = 56;
/** The place of the headline. Its last line is at the lower edge. */
const TEXT = { width: 620, height: 340, baseline: 558 };
/** The place of a picture that is not drawn: the right end of the card. */
export const PHOTO = { width: 472, height: CARD.height, left: CARD.width - 472 };

/** The sizes of the headline. The first in which it fits its place is taken. */
const SIZES = [76, 66, 58, 50, 44];

const style = (size) => ({ face: "display", size, tracking: -0.018 });
const leading = (size) => (size * 85) / 76;

/** The lines of the headline. */
function wrapped(size) {
  const lines = [];
  for (const word of headline.split(" ")) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (outline(longer, 0, 0, style(size)).width <= TEXT.width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

function headlinePath() {
  const size = SIZES.find((size) => wrapped(size).length * leading(size) <= TEXT.height) ?? SIZES.at(-1);
  const paths = wrapped(size)
    .reverse()
    .map((line, index) => outline(line, MARGIN, TEXT.baseline - index * leading(size), style(size)).path);
  return paths.reverse().join("");
}

/** The drawing of the landing page, beside the headline. */
function drawnHero(palette) {
  const { phone } = LAYOUTS.wide;
  const scale = (CARD.height - 2 * MARGIN) / PHONE.height;
  const x = CARD.width - MARGIN - (phone.x + PHONE.width) * scale;
  const y = MARGIN - phone.y * scale;
  return `<g transform="translate(${x} ${y})scale(${scale})">${heroDrawing(LAYOUTS.wide, palette)}</g>`;
}

/**
 * The preview image of a shared link (`og:image`), with the hero picture if `isDrawn`. It shows the mark without the product's name: the name is a setting
 * of the server, and the preview shows it as text.
 */
export function socialCard({ isDrawn }) {
  const palette = palettes.light;
  return svgDocument(
    CARD,
    `<rect width="${CARD.width}" height="${CARD.height}" fill="${palette.saffron}"/>
  <g transform="translate(${MARGIN} ${MARGIN})scale(1.6)">${mark}</g>
  <path d="${headlinePath()}" fill="${palette.ink}"/>
  ${isDrawn ? drawnHero(palette) : ""}`,
  );
}
