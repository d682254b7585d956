// The hero picture: a cooking video on the left, the extracted recipe on a phone on the right, and between them the
// ingredients on their way from the video to the recipe.
import { appScreen, SCREEN, screenDefinitions } from "./app-screen.mjs";
import { dishDefinitions } from "./dish.mjs";
import { palette } from "./palette.mjs";
import { round } from "./shapes.mjs";
import { outline, textLine } from "./text-outlines.mjs";
import { CLIP, clip, clipDefinitions } from "./video-clip.mjs";

export const HERO = { width: 520, height: 640, title: "A short cooking video turning into a recipe" };

const PHONE = { x: 225, y: 8, width: 280, height: 606, radius: 46 };
const CLIP_POSITION = { x: 24, y: 58, turn: -6 };

// Paper labels on the dotted line from the video to the list of ingredients.
const LABELS = [
  { text: "4 eggs", x: 78, y: 426, turn: -7 },
  { text: "2 tsp paprika", x: 22, y: 482, turn: 4 },
  { text: "60 g feta", x: 76, y: 540, turn: -5 },
];
const DOTTED_LINE = "M112 392C150 430 60 450 50 500S66 600 128 598S164 478 216 470";
const ARROW = "M205 461 218 469.7 207 481";

// The shadow of a box: from a line inside of the box, which the box covers, to a line outside of it.
const SHADOW = { inside: 40, outside: 15, below: 11 };
const SHADOW_REACH = SHADOW.inside + SHADOW.outside;

// It falls off softly, as light does. A blur filter would be slower: see WISPS in dish.mjs.
const shadowDefinitions = `
  <linearGradient id="shadow-edge" gradientUnits="userSpaceOnUse" x2="0" y2="-${SHADOW_REACH}"><stop offset=".45" stop-color="#2a1202" stop-opacity=".42"/><stop offset=".65" stop-color="#2a1202" stop-opacity=".24"/><stop offset=".8" stop-color="#2a1202" stop-opacity=".1"/><stop offset=".91" stop-color="#2a1202" stop-opacity=".025"/><stop offset="1" stop-color="#2a1202" stop-opacity="0"/></linearGradient>
  <radialGradient id="shadow-corner" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="${SHADOW_REACH}" href="#shadow-edge"/>`;

// Four edges and four corners, each next to the other: nothing is painted twice.
function shadow(width, height) {
  const { inside, below } = SHADOW;
  const [left, right, top, bottom] = [inside, width - inside, inside + below, height - inside + below];
  const sides = [
    { x: left, y: top, turn: 0, length: right - left },
    { x: right, y: top, turn: 90, length: bottom - top },
    { x: right, y: bottom, turn: 180, length: right - left },
    { x: left, y: bottom, turn: -90, length: bottom - top },
  ];
  return sides
    .map(
      ({ x, y, turn, length }) =>
        `<g transform="translate(${x} ${y})rotate(${turn})"><path d="M0 0V-${SHADOW_REACH}H${length}V0Z" fill="url(#shadow-edge)"/><path d="M0 0V-${SHADOW_REACH}A${SHADOW_REACH} ${SHADOW_REACH} 0 0 0-${SHADOW_REACH} 0Z" fill="url(#shadow-corner)"/></g>`,
    )
    .join("");
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
  ${shadow(width, height)}
  <path d="M-2.5 118h4v30h-4zM-2.5 164h4v52h-4zM-2.5 228h4v52h-4zM278.5 178h4v84h-4z" fill="#3a302b"/>
  <rect width="${width}" height="${height}" rx="${radius}" fill="url(#frame)"/>
  <rect x="2" y="2" width="${width - 4}" height="${height - 4}" rx="${radius - 2}" fill="#110c0a"/>
  <g transform="translate(${bezel} ${bezel})" clip-path="url(#screen-edge)">${appScreen()}</g></g>`;
}

export function heroDrawing() {
  const { x, y, turn } = CLIP_POSITION;
  const drawing = `
  <g transform="translate(${x} ${y})rotate(${turn} ${CLIP.width / 2} ${CLIP.height / 2})">
  ${shadow(CLIP.width, CLIP.height)}${clip()}</g>
  ${phone()}
  <g fill="none" stroke="#dd4a26" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path d="${DOTTED_LINE}" stroke-dasharray=".1 8"/><path d="${ARROW}"/></g>
  ${LABELS.map((each) => paperLabel(each)).join("")}`;
  return `
  <defs>${dishDefinitions}${screenDefinitions}${clipDefinitions}${shadowDefinitions}
  <linearGradient id="frame" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#a89a90"/><stop offset=".3" stop-color="#4b403a"/><stop offset=".7" stop-color="#332a26"/><stop offset="1" stop-color="#8a7c72"/></linearGradient>
  <clipPath id="screen-edge"><rect width="${SCREEN.width}" height="${SCREEN.height}" rx="37"/></clipPath>
  </defs>${drawing}`;
}
