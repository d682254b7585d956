// The hero picture: a short cooking video, the extracted recipe on a phone, and the ingredients on their way from the one
// to the other. One drawing in two layouts and two palettes.
import { appScreen, baseline, checkedBox, MARGIN, SCREEN, SHEETS, screenDefinitions } from "./app-screen.mjs";
import { dishDefinitions } from "./dish.mjs";
import { palettes } from "./palette.mjs";
import { round } from "./shapes.mjs";
import { outline, textLine } from "./text-outlines.mjs";
import { CLIP, clip, clipDefinitions, progress } from "./video-clip.mjs";

const TITLE = "A short cooking video turning into a recipe";

export const PHONE = { width: 280, height: 574, radius: 46, rim: 2.6 };

/**
 * The places of the parts. The pills come out of the clip; the first hangs on its lower edge.
 * The narrow layout is for phones, as wide as the window: all that moves is in its upper part. Its margin is that of the text.
 */
export const LAYOUTS = {
  wide: {
    title: TITLE,
    sheet: SHEETS.wide,
    width: 550,
    height: 608,
    phone: { x: 254, y: 8, scale: 1 },
    clip: { x: 142, y: 216, scale: 1.14, inFront: true, covered: 0 },
    pillScale: 1,
    pills: [
      { text: "4 eggs", x: 144, y: 396, turn: -5 },
      { text: "60 g feta", x: 140, y: 444, turn: 2 },
      { text: "2 tsp paprika", x: 139, y: 499, turn: -3 },
    ],
  },
  narrow: {
    title: TITLE,
    sheet: SHEETS.narrow,
    width: 430,
    height: 590,
    phone: { x: 138, y: 6, scale: 0.97 },
    clip: { x: 87, y: 131, scale: 0.72, inFront: false, covered: 36 },
    pillScale: 0.92,
    pills: [
      { text: "4 eggs", x: 33, y: 244, turn: -4 },
      { text: "60 g feta", x: 20, y: 282, turn: 2 },
      { text: "2 tsp paprika", x: 9, y: 328, turn: -2 },
    ],
  },
};

const CLIP_TURN = -7;

const BEZEL = (PHONE.width - SCREEN.width) / 2;

/**
 * The story, once, in 1.6 s: the video plays and pauses, the pills come out of its lower edge and from behind each other. A
 * copy of one after the other flies into the phone, first to the right and then up, across no other pill. Its box ends on
 * the box of its ingredient, which replaces a placeholder. The last frame is the picture. `backwards` shows the first frame
 * during the delay. At `#end`, nothing moves.
 */
function story({ phone, sheet, clip, pills, pillScale }) {
  const { scale } = phone;
  const moves = pills.map(({ x, y, turn }, index) => {
    const before = pills[index - 1] ?? { x, y: y - 40 };
    const right = phone.x + (BEZEL + MARGIN - BOX.x) * scale - x;
    const down = phone.y + (BEZEL + sheet.top - sheet.lift + baseline(index) - 12 - BOX.y) * scale - y;
    const start = 350 + index * 370;
    return `.pill${index}{--from:${before.x - x}px,${before.y - y}px;animation-delay:${index * 90}ms}
  .copy${index}{--right:${round(right)}px;--end:translateY(${round(down)}px)rotate(${-turn}deg)scale(${(scale / pillScale).toFixed(2)});transform-origin:${x}px ${y}px;animation-delay:${start}ms}
  .row${index}{animation-delay:${start + 350}ms}`;
  });
  return `<style>.copy{opacity:0}
  @media (prefers-reduced-motion:no-preference){
  .film,.bar,.knob{animation:film 1s .1s cubic-bezier(.3,0,.2,1) backwards}
  .bar{animation-name:bar;transform-box:fill-box}
  .knob{animation-name:knob}
  .pill{animation:pill .5s cubic-bezier(.2,1.4,.4,1) backwards;transform-box:fill-box;transform-origin:50% 0}
  .copy{animation:right .44s cubic-bezier(.3,.6,.5,1),up .44s cubic-bezier(.6,0,.6,1)}
  .row{animation:row .1s ease-out backwards}
  ${moves.join("")}}
  #end:target *{animation:none}
  @keyframes film{from{transform:rotate(-9deg)}}
  @keyframes bar{from{transform:scaleX(0)}}
  @keyframes knob{from{transform:translateX(-${progress(clip).played}px)}}
  @keyframes pill{from{opacity:0;transform:translate(var(--from)) scale(.5)}15%{opacity:1}}
  @keyframes right{80%,to{translate:var(--right)}}
  @keyframes up{from{opacity:1}80%{opacity:1;transform:var(--end)}to{transform:var(--end)}}
  @keyframes row{from{opacity:0}}</style>`;
}

// The shadow of a box: from a line inside of the box, which the box covers, to a line outside of it.
const SHADOW = { inside: 40, outside: 15, below: 11 };
const SHADOW_REACH = SHADOW.inside + SHADOW.outside;

// It falls off softly, as light does. A blur filter would take a phone longer than the rest of the picture.
const shadowDefinitions = ({ shadow: color }) => {
  const stops = [
    [0.45, 0.42],
    [0.65, 0.24],
    [0.8, 0.1],
    [0.91, 0.025],
    [1, 0],
  ].map(([offset, opacity]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`);
  return `
  <linearGradient id="shadow-edge" gradientUnits="userSpaceOnUse" x2="0" y2="-${SHADOW_REACH}">${stops.join("")}</linearGradient>
  <radialGradient id="shadow-corner" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="${SHADOW_REACH}" href="#shadow-edge"/>`;
};

// Four edges and four corners, each next to the other: nothing is painted twice.
function shadow({ width, height }) {
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

/** The place of the checked box in a pill. */
const BOX = { x: 10, y: 10 };

// Paper, with the ink of the light scheme.
function pill({ text, x, y, turn }, index, scale, palette) {
  const { pill: paper, shadow } = palette;
  const { ink } = palettes.light;
  const style = { face: "bold", size: 13.5 };
  const width = round(33 + outline(text, 0, 0, style).width + 13);
  const shades = Array.from({ length: 12 }, (_, step) => 8.8 - 0.8 * step).map(
    (blur) =>
      `<rect x="${round(-blur)}" y="${round(5 - blur / 2)}" width="${round(width + 2 * blur)}" height="${round(36 + 1.5 * blur)}" rx="${round(18 + blur / 2)}" fill="${shadow}" fill-opacity=".016"/>`,
  );
  return `<g id="pill${index}" class="pill pill${index}"><g transform="translate(${x} ${y})rotate(${turn})scale(${scale})">${shades.join("")}
  <rect width="${width}" height="36" rx="18" fill="${paper}"/>
  ${checkedBox(BOX.x, BOX.y, palette)}
  ${textLine(text, 33, 22.8, { ...style, fill: ink })}</g></g>`;
}

function phone({ phone: { x, y, scale }, sheet }, palette) {
  const { width, height, radius, rim } = PHONE;
  return `<g transform="translate(${x} ${y})scale(${scale})">
  ${shadow(PHONE)}
  <g fill="url(#side)"><rect x="-2.4" y="118" width="5" height="28" rx="1.6"/><rect x="-2.4" y="164" width="5" height="50" rx="1.6"/><rect x="-2.4" y="226" width="5" height="50" rx="1.6"/><rect x="277.4" y="178" width="5" height="82" rx="1.6"/></g>
  <rect width="${width}" height="${height}" rx="${radius}" fill="url(#frame)"/>
  <rect x="${rim}" y="${rim}" width="${width - 2 * rim}" height="${height - 2 * rim}" rx="${radius - rim}" fill="#110c0a"/>
  <g transform="translate(${BEZEL} ${BEZEL})" clip-path="url(#screen-edge)">${appScreen(palette, sheet)}</g></g>`;
}

function placedClip(place, palette) {
  const { x, y, scale } = place;
  return `<g transform="translate(${x} ${y})rotate(${CLIP_TURN})scale(${scale})translate(-${CLIP.width / 2}-${CLIP.height / 2})">${shadow(CLIP)}${clip(palette, place)}</g>`;
}

export function heroDrawing(layout, palette) {
  const parts = [phone(layout, palette), placedClip(layout.clip, palette)];
  if (!layout.clip.inFront) parts.reverse();
  // From the last to the first, behind which the others come out. The copies leave behind all of them.
  const pills = layout.pills.map((each, index) => pill(each, index, layout.pillScale, palette)).reverse();
  const copies = layout.pills.map((_, index) => `<use href="#pill${index}" class="copy copy${index}"/>`);
  return `${story(layout)}
  <defs>${dishDefinitions}${screenDefinitions(palette)}${clipDefinitions}${shadowDefinitions(palette)}
  <linearGradient id="frame" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#efe5da"/><stop offset=".18" stop-color="#8d7f75"/><stop offset=".5" stop-color="#5a4e47"/><stop offset=".82" stop-color="#95877c"/><stop offset="1" stop-color="#e4d8cc"/></linearGradient>
  <linearGradient id="side"><stop stop-color="#b5a89c"/><stop offset="1" stop-color="#4d423c"/></linearGradient>
  <clipPath id="screen-edge"><rect width="${SCREEN.width}" height="${SCREEN.height}" rx="37"/></clipPath>
  </defs>${[...parts, ...copies, ...pills].join("")}`;
}
