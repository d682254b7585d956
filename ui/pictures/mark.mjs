// The mark: a fried egg whose yolk is a play button, on a grid of 64 units.
import { palette } from "./palette.mjs";
import { svgDocument } from "./svg-document.mjs";

// An irregular outline: a circle around the yolk would look like a target.
const WHITE =
  "M30.5 10.5C38 8.5 43.5 13 48 17.5S55.5 26.5 53.5 33.5 54 43 47.5 49 36 51 29.5 53.5 15.5 52 12.5 44.5 12 35.5 11 29.5 14 20.5 18.5 17.5 24 12.3 30.5 10.5Z";
const YOLK = { x: 32.5, y: 32, radius: 12.5 };
const PLAY = "M29.2 26.6v10.8q0 1.9 1.7 1l8.8-5.4q1.5-1 0-2l-8.8-5.4q-1.7-.9-1.7 1z";

const TITLE = "A fried egg whose yolk is a play button";
const iconDocument = (drawing) => svgDocument({ width: 64, height: 64, title: TITLE }, drawing);

const yolk = `<circle cx="${YOLK.x}" cy="${YOLK.y}" r="${YOLK.radius}" fill="${palette["mark-yolk"]}"/>`;
const egg = `<path d="${WHITE}" fill="${palette["mark-white"]}"/>${yolk}<path d="${PLAY}" fill="${palette["mark-tile"]}"/>`;
const tile = (radius) => `<rect width="64" height="64" rx="${radius}" fill="${palette["mark-tile"]}"/>`;

/** The egg on its tile, without the SVG document around it. */
export const mark = `${tile(15)}${egg}`;

export const icon = iconDocument(mark);

/** For 16 px: without the play button, which would cover four blurred pixels, and with a larger egg. */
export const smallestIcon = iconDocument(
  `${tile(14)}<g transform="translate(32 32)scale(1.2)translate(-32.5-32)"><path d="${WHITE}" fill="${palette["mark-white"]}"/>${yolk}</g>`,
);

/** For platforms that round the corners themselves: the tile fills the square. */
export const squareIcon = iconDocument(`${tile(0)}${egg}`);

/** For the purpose `maskable` of a web app manifest: the egg fits into the inner 80 %, which no mask cuts. */
export const maskableIcon = iconDocument(
  `${tile(0)}<g transform="translate(32 32)scale(.86)translate(-32.5-32)">${egg}</g>`,
);
