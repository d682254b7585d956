// The hero picture: a cooking video on the left, the extracted recipe on a phone on the right, and between them the
// ingredients on their way from the video to the recipe.
import { appScreen, SCREEN, screenDefinitions } from "./app-screen.mjs";
import { dishDefinitions } from "./dish.mjs";
import { palette } from "./palette.mjs";
import { round } from "./shapes.mjs";
import { outline, textLine } from "./text-outlines.mjs";
import { CLIP, clip, clipDefinitions } from "./video-clip.mjs";

export const HERO = { width: 520, height: 640, title: "A short cooking video turning into a recipe" };

const PHONE = { x: 228, y: 8, width: 280, height: 606, radius: 46 };
const CLIP_POSITION = { x: 24, y: 58, turn: -6 };

// Paper labels on the dotted line from the video to the list of ingredients.
const LABELS = [
  { text: "4 eggs", x: 78, y: 426, turn: -7 },
  { text: "2 tsp paprika", x: 22, y: 482, turn: 4 },
  { text: "60 g feta", x: 76, y: 540, turn: -5 },
];
const DOTTED_LINE = "M112 392C150 430 60 450 50 500S66 600 128 598S164 478 216 470";
const ARROW = "M205 461 218 469.7 207 481";

// A soft shadow from 16 transparent layers. A blur filter would be slower: see WISPS in dish.mjs.
function shadow(width, height, radius) {
  return Array.from({ length: 16 }, (_, layer) => {
    const spread = 12 - layer * 1.2;
    const [w, h] = [width + 2 * spread, height + 2 * spread];
    return `<rect x="${round(-spread)}" y="${round(11 - spread)}" width="${round(w)}" height="${round(h)}" rx="${round(radius + spread)}"/>`;
  }).join("");
}

function paperLabel({ text, x, y, turn }) {
  const style = { face: "bold", size: 12.5 };
  const width = round(26 + outline(text, 0, 0, style).width + 14);
  return `<g transform="translate(${x} ${y})rotate(${turn})">
  <rect x="1" y="4" width="${width}" height="31" rx="9" fill="#4a280c" fill-opacity=".3"/>
  <rect width="${width}" height="31" rx="9" fill="#fff"/>
  <circle cx="15" cy="15.5" r="4.5" fill="${palette.tomato}"/>
  ${textLine(text, 26, 20, { ...style, fill: palette.ink })}</g>`;
}

function phone() {
  const { x, y, width, height, radius } = PHONE;
  const bezel = (width - SCREEN.width) / 2;
  return `<g transform="translate(${x} ${y})">
  <g fill="#2a1202" fill-opacity=".025">${shadow(width, height, radius)}</g>
  <path d="M-2.5 118h4v30h-4zM-2.5 164h4v52h-4zM-2.5 228h4v52h-4zM278.5 178h4v84h-4z" fill="#3a302b"/>
  <rect width="${width}" height="${height}" rx="${radius}" fill="url(#frame)"/>
  <rect x="2" y="2" width="${width - 4}" height="${height - 4}" rx="${radius - 2}" fill="#110c0a"/>
  <g transform="translate(${bezel} ${bezel})" clip-path="url(#screen-edge)">${appScreen()}</g></g>`;
}

export function heroDrawing() {
  const { x, y, turn } = CLIP_POSITION;
  const drawing = `
  <g transform="translate(${x} ${y})rotate(${turn} ${CLIP.width / 2} ${CLIP.height / 2})">
  <g fill="#2a1202" fill-opacity=".025">${shadow(CLIP.width, CLIP.height, 24)}</g>${clip()}</g>
  ${phone()}
  <g fill="none" stroke="#dd4a26" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="${DOTTED_LINE}" stroke-dasharray=".1 8"/><path d="${ARROW}"/></g>
  ${LABELS.map((each) => paperLabel(each)).join("")}`;
  return `
  <defs>${dishDefinitions}${screenDefinitions}${clipDefinitions}
  <linearGradient id="frame" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#a89a90"/><stop offset=".3" stop-color="#4b403a"/><stop offset=".7" stop-color="#332a26"/><stop offset="1" stop-color="#8a7c72"/></linearGradient>
  <clipPath id="screen-edge"><rect width="${SCREEN.width}" height="${SCREEN.height}" rx="37"/></clipPath>
  </defs>${drawing}`;
}
