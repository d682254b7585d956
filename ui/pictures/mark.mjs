// The mark: a fried egg whose yolk is a play button, on a grid of 64 units.
import { readFileSync } from "node:fs";
import { svgDocument } from "./svg-document.mjs";

const shapes = JSON.parse(readFileSync(new URL("../src/art/mark.json", import.meta.url), "utf8"));

const TITLE = "A fried egg whose yolk is a play button";
const iconDocument = (drawing) => svgDocument({ width: 64, height: 64, title: TITLE }, drawing);

const white = `<path d="${shapes.white.path}" fill="${shapes.white.color}"/>`;
const yolk = `<circle cx="${shapes.yolk.x}" cy="${shapes.yolk.y}" r="${shapes.yolk.radius}" fill="${shapes.yolk.color}"/>`;
const play = `<path d="${shapes.play.path}" fill="${shapes.tile.color}"/>`;
const egg = white + yolk + play;
const tile = (radius) => `<rect width="64" height="64" rx="${radius}" fill="${shapes.tile.color}"/>`;

/** Draws the egg larger or smaller, with the yolk in the middle of the tile. */
const centered = (scale, drawing) =>
  `<g transform="translate(32 32)scale(${scale})translate(-${shapes.yolk.x}-${shapes.yolk.y})">${drawing}</g>`;

/** The egg on its tile, without the SVG document around it. */
export const mark = tile(shapes.tile.radius) + egg;

export const icon = iconDocument(mark);

/** For 16 px: without the play button, which would cover four blurred pixels, and with a larger egg. */
export const smallestIcon = iconDocument(tile(14) + centered(1.2, white + yolk));

/** For platforms that round the corners themselves: the tile fills the square. */
export const squareIcon = iconDocument(tile(0) + egg);

/** For the purpose `maskable` of a web app manifest: the egg fits into the inner 80 %, which no mask cuts. */
export const maskableIcon = iconDocument(tile(0) + centered(0.86, egg));
