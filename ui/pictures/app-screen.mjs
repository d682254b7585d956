// The recipe screen of the mobile app, in the colours of a palette.
import { round } from "./shapes.mjs";
import { textLine } from "./text-outlines.mjs";
import { LENGTH } from "./video-clip.mjs";

export const SCREEN = { width: 262, height: 556 };

/**
 * The upper edge of the sheet with the recipe, which lies over the lower part of the photograph, how much higher the
 * ingredients stand where the sheet does not name the clip, and the middle of the dish. The first screen of a phone has to
 * show the ingredients.
 */
export const SHEETS = { wide: { top: 123, lift: 0, dish: 70 }, narrow: { top: 84, lift: 54, dish: 82 } };

/** The upper edge of the button on the screen. */
const BUTTON = 506;

/** Between an edge of the screen and its content. */
export const MARGIN = 18;

/** The ingredients that the cook has are the pills of hero-picture.mjs. */
export const INGREDIENTS = [
  { amount: "4", name: "eggs", have: true },
  { amount: "60 g", name: "feta, crumbled", have: true },
  { amount: "2 tsp", name: "smoked paprika", have: true },
  { amount: "400 g", name: "chopped tomatoes", have: false },
  { amount: "1 each", name: "onion, red pepper", have: false },
  { amount: "2 tbsp", name: "olive oil", have: false },
  { amount: "4", name: "slices of bread", have: false },
];

const STEPS = [
  ["Soften onion and pepper", "in the oil, 8 minutes."],
  ["Stir in paprika and tomatoes."],
  ["Make four wells for the eggs,", "cover, 5 minutes."],
  ["Scatter the feta, and serve", "with the bread."],
];

function photograph(_palette, { top, dish }) {
  return `
  <rect width="262" height="${top + 21}" fill="url(#cloth)"/>
  <path d="M22 0V165M30 0V165M204 0V165M212 0V165" stroke="#8fae9a" stroke-width="2.5" stroke-opacity=".6"/>
  <path d="M0 42H262M0 50H262" stroke="#8fae9a" stroke-width="2.5" stroke-opacity=".4"/>
  <ellipse cx="141" cy="${dish + 24}" rx="126" ry="120" fill="url(#pan-shade)"/>
  <use href="#dish" transform="translate(133 ${dish})rotate(14)scale(.98)"/>
  <use href="#bread" transform="translate(119 ${dish - 33})rotate(6)"/>
  <rect width="262" height="56" fill="url(#status-shade)"/>`;
}

function statusBar() {
  return `
  ${textLine("18:42", 49, 25.5, { face: "bold", size: 12.5, fill: "#fff", anchor: "middle" })}
  <rect x="98" y="11" width="66" height="20" rx="10" fill="#0d0a09"/>
  <g fill="#fff"><path d="M189 25v-3h2.2v3zM192.2 25v-4.7h2.2v4.7zM195.4 25v-6.4h2.2v6.4zM198.6 25v-8.1h2.2v8.1zM211 25l-1.9-1.9a2.7 2.7 0 0 1 3.8 0z"/>
  <path d="M207.7 21.7a4.6 4.6 0 0 1 6.6 0M205.8 19.8a7.3 7.3 0 0 1 10.4 0" fill="none" stroke="#fff" stroke-width="1.6"/>
  <rect x="221.5" y="17.4" width="15" height="7.2" rx="2.4" fill="none" stroke="#fff"/><rect x="223" y="18.9" width="10" height="4.2" rx="1.2"/><path d="M238 19.6v2.8q1.4-1.4 0-2.8z"/></g>`;
}

function buttonsOverPhotograph({ surface, ink, tomato }) {
  return `
  <g fill="${surface}" fill-opacity=".94"><circle cx="33" cy="58" r="15"/><circle cx="229" cy="58" r="15"/></g>
  <path d="M35.5 52 29.5 58 35.5 64" fill="none" stroke="${ink}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>
  <path d="M229 65.5C221 60.5 220.5 52.5 225 51.5Q228 51 229 54Q230 51 233 51.5C237.5 52.5 237 60.5 229 65.5Z" fill="${tomato}"/>`;
}

function heading({ ground, hairline, ink, "ink-soft": soft, tomato }) {
  const meta = { face: "regular", size: 10.7, fill: soft };
  return `
  <path d="M0 20Q0 0 20 0H242Q262 0 262 20V460H0Z" fill="${ground}"/>
  <rect x="117" y="7" width="28" height="3.5" rx="1.8" fill="${hairline}"/>
  ${textLine("Skillet shakshuka", MARGIN, 36, { face: "display", size: 23, fill: ink, tracking: -0.012 })}
  <g fill="none" stroke="${tomato}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">
  <circle cx="24" cy="53" r="5"/><path d="M24 50.2V53.3L26 54.5"/>
  <path d="M87.5 51.5h11q0 6-5.5 6t-5.5-6zM91 48.8q1-1 0-2M95 48.8q1-1 0-2"/>
  <circle cx="172.2" cy="54.6" r="4.3"/><path d="M175.4 51.4l4-4"/></g>
  ${textLine("25 min", 33, 56.8, meta)}
  ${textLine("Serves 2", 103, 56.8, meta)}
  ${textLine("One pan", 184, 56.8, meta)}`;
}

function sourceClip({ card, ground, ink, "ink-soft": soft }) {
  return `
  <rect x="${MARGIN}" y="67" width="226" height="50" rx="13" fill="${card}"/>
  <g clip-path="url(#thumbnail)"><rect x="24" y="72" width="30" height="40" fill="url(#wood)"/><g transform="translate(40 94)scale(.17)"><use href="#dish-pan"/><use href="#dish-eggs"/></g><rect x="24" y="72" width="30" height="40" fill="#1a0d08" fill-opacity=".36"/></g>
  <path d="M35.5 87v10.5q0 1.2 1.1.6l8-5q.9-.6 0-1.2l-8-5.5q-1.1-.6-1.1.6z" fill="#fff"/>
  ${textLine("Saved from a clip", 64, 89, { face: "bold", size: 11, fill: ink })}
  ${textLine("@onepan.nora", 64, 104.5, { face: "regular", size: 10.5, fill: soft })}
  <rect x="203" y="83.5" width="32" height="17" rx="8.5" fill="${ground}"/>
  ${textLine(LENGTH, 219, 95.7, { face: "bold", size: 10, fill: ink, anchor: "middle" })}`;
}

/** A checked box, 16 wide, which the pills have too. */
export function checkedBox(x, y, { check }) {
  return `<rect x="${x}" y="${y}" width="16" height="16" rx="5" fill="${check}"/><path d="M${x + 4.2} ${y + 8.2}l2.8 2.8 5-5.6" fill="none" stroke="#fffdf8" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
}

/** The baseline of an ingredient, below the upper edge of the sheet. */
export const baseline = (index) => round(166.5 + index * 18.6);

/** A pill flies to the row of each ingredient that the cook has. Until then, a placeholder is there, which its ground hides. */
function ingredients(palette) {
  const { ground, surface, hairline, ink, "ink-soft": soft, edge, tomato } = palette;
  const placeholders = [24, 76, 88].map(
    (length, index) =>
      `M22 ${round(baseline(index) - 8)}h8v8h-8ZM47 ${round(baseline(index) - 4)}h18M90 ${round(baseline(index) - 4)}h${length}`,
  );
  const rows = INGREDIENTS.map(({ amount, name, have }, index) => {
    const y = baseline(index);
    const box = have
      ? checkedBox(MARGIN, y - 12, palette)
      : `<rect x="${MARGIN + 0.7}" y="${y - 11.3}" width="14.6" height="14.6" rx="4.4" fill="none" stroke="${edge}" stroke-width="1.4"/>`;
    const row = `${box}
    ${textLine(amount, 43, y, { face: "bold", size: 12, fill: ink })}
    ${textLine(name, 86, y, { face: "regular", size: 12, fill: have ? soft : ink })}`;
    if (!have) return row;
    return `<g class="row row${index}"><rect x="12" y="${y - 15}" width="238" height="22" fill="${ground}"/>${row}</g>`;
  });
  return `
  ${textLine("Ingredients", MARGIN, 142.5, { face: "display", size: 15.5, fill: ink })}
  <rect x="170" y="126.5" width="74" height="22" rx="11" fill="${surface}" stroke="${hairline}" stroke-width="1.2"/>
  <path d="M181 137.5h7M226 137.5h7M229.5 134v7" stroke="${tomato}" stroke-width="1.8" stroke-linecap="round"/>
  ${textLine("2", 207, 141.5, { face: "bold", size: 11.5, fill: ink, anchor: "middle" })}
  <path d="${placeholders.join("")}" fill="${hairline}" stroke="${hairline}" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/>
  ${rows.join("")}`;
}

function method(palette, { top, lift }) {
  const { ground, hairline, ink, step } = palette;
  const start = baseline(INGREDIENTS.length - 1) + 14.6;
  const steps = STEPS.slice(0, lift > 0 ? 4 : 2).map((lines, index) => {
    const y = round(start + 40.5 + index * 5 + STEPS.slice(0, index).flat().length * 15.5);
    return `<circle cx="26" cy="${y - 4}" r="8" fill="${step}"/>
    ${textLine(String(index + 1), 26, y - 0.3, { face: "bold", size: 10, fill: "#2b1915", anchor: "middle" })}
    ${lines.map((words, row) => textLine(words, 43, y + row * 15.5, { face: "regular", size: 11.5, fill: ink })).join("")}`;
  });
  return `
  <path d="M${MARGIN} ${start}H244" stroke="${hairline}"/>
  ${textLine("Method", MARGIN, start + 21.5, { face: "display", size: 15.5, fill: ink })}
  ${steps.join("")}
  ${fade(BUTTON - top + lift, ground)}`;
}

/** The text fades above the button, in steps: a gradient of a light colour is black where a browser forces dark colours. */
function fade(button, ground) {
  const steps = Array.from({ length: 12 }, (_, index) => {
    const y = button - 27 + index * 2.2;
    return `<rect y="${round(y)}" width="262" height="${round(button + 50 - y)}"/>`;
  });
  return `<g fill="${ground}" fill-opacity=".24">${steps.join("")}</g>`;
}

/** Quieter than the button of the page, because it does nothing. */
function startButton({ surface, hairline, ink }) {
  return `
  <rect x="${MARGIN}" y="${BUTTON}" width="226" height="35" rx="17.5" fill="${surface}" stroke="${hairline}" stroke-width="1.2"/>
  ${textLine("Start cooking", 131, BUTTON + 22, { face: "bold", size: 12.5, fill: ink, anchor: "middle" })}
  <rect x="88" y="${BUTTON + 41.5}" width="86" height="3.6" rx="1.8" fill="${ink}"/>`;
}

export const screenDefinitions = ({ cloth: [lit, shaded] }) => `
  <linearGradient id="cloth" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${lit}"/><stop offset="1" stop-color="${shaded}"/></linearGradient>
  <radialGradient id="pan-shade"><stop offset=".8" stop-color="#27352b" stop-opacity=".5"/><stop offset="1" stop-color="#27352b" stop-opacity="0"/></radialGradient>
  <linearGradient id="status-shade" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#120a07" stop-opacity=".62"/><stop offset="1" stop-color="#120a07" stop-opacity="0"/></linearGradient>
  <clipPath id="thumbnail"><rect x="24" y="72" width="30" height="40" rx="7"/></clipPath>`;

export function appScreen(palette, sheet) {
  const { top, lift } = sheet;
  const draw = (parts) => parts.map((part) => part(palette, sheet)).join("");
  return `${draw([photograph, statusBar, buttonsOverPhotograph])}
  <g transform="translate(0 ${top})">${draw(lift > 0 ? [heading] : [heading, sourceClip])}</g>
  <g transform="translate(0 ${top - lift})">${draw([ingredients, method])}</g>
  ${startButton(palette)}`;
}
