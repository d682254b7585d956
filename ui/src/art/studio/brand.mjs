// The mark: a fried egg whose yolk is a play button. A clip, on its way to the plate.
import { readFileSync } from "node:fs";
import { outline } from "./lettering.mjs";
import { palette } from "./palette.mjs";
import { picture } from "./picture.mjs";

const { appName } = JSON.parse(readFileSync(new URL("../../settings.json", import.meta.url), "utf8"));

// On a 64 grid. The white is a drop that spread, not a circle: that is what tells an egg from a target.
const WHITE =
  "M30.5 10.5C38 8.5 43.5 13 48 17.5S55.5 26.5 53.5 33.5 54 43 47.5 49 36 51 29.5 53.5 15.5 52 12.5 44.5 12 35.5 11 29.5 14 20.5 18.5 17.5 24 12.3 30.5 10.5Z";
const YOLK = { x: 32.5, y: 32, radius: 12.5 };
const PLAY = "M29.2 26.6v10.8q0 1.9 1.7 1l8.8-5.4q1.5-1 0-2l-8.8-5.4q-1.7-.9-1.7 1z";

const TITLE = "A fried egg whose yolk is a play button";
const onGrid = (drawing) => picture({ width: 64, height: 64, title: TITLE }, drawing);

const yolk = `<circle cx="${YOLK.x}" cy="${YOLK.y}" r="${YOLK.radius}" fill="${palette["mark-yolk"]}"/>`;
const egg = `<path d="${WHITE}" fill="${palette["mark-white"]}"/>${yolk}<path d="${PLAY}" fill="${palette["mark-tile"]}"/>`;
const tile = (radius) => `<rect width="64" height="64" rx="${radius}" fill="${palette["mark-tile"]}"/>`;

/** The egg on its tile, as a drawing that other pictures can take in. */
export const mark = `${tile(15)}${egg}`;

/** The mark as browsers, docks and lists show it. */
export const icon = onGrid(mark);

/** For 16 px, where a play mark would be four grey pixels: the egg alone, larger. */
export const smallestIcon = onGrid(
  `${tile(14)}<g transform="translate(32 32)scale(1.2)translate(-32.5-32)"><path d="${WHITE}" fill="${palette["mark-white"]}"/>${yolk}</g>`,
);

/** For platforms that cut the corners themselves: the tile fills the square. */
export const squareIcon = onGrid(`${tile(0)}${egg}`);

/** Maskable: the egg inside the inner 80 %, which every mask leaves. */
export const maskableIcon = onGrid(`${tile(0)}<g transform="translate(32 32)scale(.86)translate(-32.5-32)">${egg}</g>`);

/** The mark and the name in one line, as a drawing that other pictures can take in. */
export function wordmark() {
  const { path, width } = outline(appName, 80, 47.5, { face: "display", size: 46, tracking: -0.012 });
  return {
    width: Math.ceil(80 + width + 2),
    height: 64,
    title: `${TITLE}, and the name`,
    drawing: `${mark}<path d="${path}" fill="${palette.ink}"/>`,
  };
}
