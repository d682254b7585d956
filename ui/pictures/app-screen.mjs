// The recipe screen of the mobile app.
import { palette } from "./palette.mjs";
import { textLine } from "./text-outlines.mjs";

export const SCREEN = { width: 262, height: 588 };

const MARGIN = 18;
const INK = palette.ink;
const SOFT = palette["ink-soft"];
const HAIRLINE = "#e9dfcd";

const INGREDIENTS = [
  { amount: "4", name: "eggs", have: true },
  { amount: "400 g", name: "chopped tomatoes", have: true },
  { amount: "1", name: "red pepper, sliced", have: true },
  { amount: "2 tsp", name: "smoked paprika", have: false },
  { amount: "60 g", name: "feta, crumbled", have: false },
];

const STEPS = [
  ["Soften the red pepper in", "the pan, 6 minutes."],
  ["Stir in paprika and tomatoes.", "Simmer until thick."],
];

function photograph() {
  return `
  <rect width="262" height="214" fill="url(#cloth)"/>
  <path d="M22 0V214M30 0V214M204 0V214M212 0V214" stroke="#8fae9a" stroke-width="2.5" stroke-opacity=".6"/>
  <path d="M0 42H262M0 50H262M0 170H262" stroke="#8fae9a" stroke-width="2.5" stroke-opacity=".4"/>
  <ellipse cx="139" cy="120" rx="124" ry="118" fill="url(#pan-shade)"/>
  <use href="#dish" transform="translate(133 98)rotate(14)scale(.98)"/>
  <use href="#bread" transform="translate(119 82)rotate(6)"/>
  <use href="#steam" transform="translate(128 112)scale(.95)"/>
  <rect width="262" height="60" fill="url(#status-shade)"/>`;
}

function statusBar() {
  return `
  ${textLine("18:42", 24, 26, { face: "bold", size: 11.5, fill: "#fff" })}
  <rect x="98" y="11" width="66" height="20" rx="10" fill="#0d0a09"/>
  <g fill="#fff"><path d="M202 25v-3h2.5v3zM206 25v-5h2.5v5zM210 25v-7.5h2.5v7.5zM214 25v-9.5h2.5v9.5z"/>
  <rect x="221.5" y="16.5" width="17" height="8.5" rx="2.6" fill="none" stroke="#fff"/><rect x="223.3" y="18.3" width="11" height="4.9" rx="1.2"/><path d="M240 19.2v3q1.6-1.5 0-3z"/></g>`;
}

function buttonsOverPhotograph() {
  return `
  <circle cx="32" cy="58" r="15" fill="#fff" fill-opacity=".94"/><path d="M34.5 52 28.5 58 34.5 64" fill="none" stroke="${INK}" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>
  <circle cx="230" cy="58" r="15" fill="#fff" fill-opacity=".94"/><path d="M230 65.5C222 60.5 221.5 52.5 226 51.5Q229 51 230 54Q231 51 234 51.5C238.5 52.5 238 60.5 230 65.5Z" fill="${palette.tomato}"/>`;
}

function heading() {
  const meta = { face: "regular", size: 10.7, fill: SOFT };
  return `
  <path d="M0 202Q0 182 20 182H242Q262 182 262 202V588H0Z" fill="${palette.ground}"/>
  <rect x="117" y="189" width="28" height="3.5" rx="1.8" fill="${HAIRLINE}"/>
  ${textLine("Skillet shakshuka", MARGIN, 219, { face: "display", size: 23, fill: INK, tracking: -0.012 })}
  <g fill="none" stroke="${palette.tomato}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" transform="translate(0-7)">
  <circle cx="24" cy="243" r="5"/><path d="M24 240.2V243.3L26 244.5"/>
  <path d="M87.5 241.5h11q0 6-5.5 6t-5.5-6zM91 238.8q1-1 0-2M95 238.8q1-1 0-2"/>
  <circle cx="172.2" cy="244.6" r="4.3"/><path d="M175.4 241.4l4-4"/></g>
  ${textLine("25 min", 33, 239.8, meta)}
  ${textLine("Serves 2", 103, 239.8, meta)}
  ${textLine("One pan", 184, 239.8, meta)}`;
}

function sourceClip() {
  return `
  <g transform="translate(0-8)"><rect x="${MARGIN}" y="259" width="226" height="50" rx="13" fill="${palette.linen}"/>
  <g clip-path="url(#thumbnail)"><rect x="24" y="264" width="30" height="40" fill="#4a2c20"/><g transform="translate(40 286)scale(.17)"><use href="#dish-pan"/><use href="#dish-eggs"/></g><rect x="24" y="264" width="30" height="40" fill="#1a0d08" fill-opacity=".22"/></g>
  <path d="M35.5 279v10.5q0 1.2 1.1.6l8-5q.9-.6 0-1.2l-8-5.5q-1.1-.6-1.1.6z" fill="#fff"/>
  ${textLine("Saved from a clip", 64, 281, { face: "bold", size: 11, fill: INK })}
  ${textLine("@onepan.nora", 64, 296.5, { face: "regular", size: 10.5, fill: SOFT })}
  <rect x="203" y="276" width="32" height="17" rx="8.5" fill="#fff"/>
  ${textLine("0:42", 219, 288.2, { face: "bold", size: 10, fill: INK, anchor: "middle" })}</g>`;
}

function ingredients() {
  const rows = INGREDIENTS.map(({ amount, name, have }, index) => {
    const y = 347.5 + index * 23.2;
    const box = have
      ? `<rect x="${MARGIN}" y="${y - 12}" width="16" height="16" rx="5" fill="${palette.herb}"/><path d="M${MARGIN + 4.2} ${y - 3.8}l2.8 2.8 5-5.6" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`
      : `<rect x="${MARGIN + 0.8}" y="${y - 11.2}" width="14.4" height="14.4" rx="4.4" fill="#fff" stroke="${palette.edge}" stroke-width="1.4"/>`;
    return `${box}
    ${textLine(amount, 43, y, { face: "bold", size: 12, fill: INK })}
    ${textLine(name, 86, y, { face: "regular", size: 12, fill: have ? SOFT : INK })}`;
  });
  return `
  ${textLine("Ingredients", MARGIN, 324, { face: "display", size: 15.5, fill: INK })}
  <rect x="170" y="308" width="74" height="22" rx="11" fill="#fff" stroke="${HAIRLINE}" stroke-width="1.2"/>
  <path d="M181 319h7M226 319h7M229.5 315.5v7" stroke="${palette.tomato}" stroke-width="1.8" stroke-linecap="round"/>
  ${textLine("2", 207, 323, { face: "bold", size: 11.5, fill: INK, anchor: "middle" })}
  ${rows.join("")}`;
}

function method() {
  const steps = STEPS.map((lines, index) => {
    const y = 497 + index * 34;
    return `<circle cx="26" cy="${y - 3.5}" r="9" fill="${palette.saffron}"/>
    ${textLine(String(index + 1), 26, y + 0.4, { face: "bold", size: 10.5, fill: INK, anchor: "middle" })}
    ${lines.map((words, row) => textLine(words, 43, y + row * 15.5, { face: "regular", size: 11.5, fill: INK })).join("")}`;
  });
  return `
  <path d="M${MARGIN} 454.5H244" stroke="${HAIRLINE}"/>
  ${textLine("Method", MARGIN, 476, { face: "display", size: 15.5, fill: INK })}
  ${steps.join("")}
  <rect y="517" width="262" height="71" fill="url(#fade)"/>`;
}

function startButton() {
  return `
  <rect x="${MARGIN}" y="537" width="226" height="35" rx="17.5" fill="${palette.button}"/>
  ${textLine("Start cooking", 131, 559, { face: "bold", size: 12.5, fill: palette["on-button"], anchor: "middle" })}
  <rect x="88" y="579" width="86" height="3.6" rx="1.8" fill="${INK}"/>`;
}

export const screenDefinitions = `
  <linearGradient id="cloth" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#f7f5ec"/><stop offset="1" stop-color="#dfe6da"/></linearGradient>
  <radialGradient id="pan-shade"><stop offset=".8" stop-color="#27352b" stop-opacity=".5"/><stop offset="1" stop-color="#27352b" stop-opacity="0"/></radialGradient>
  <linearGradient id="status-shade" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#120a07" stop-opacity=".6"/><stop offset="1" stop-color="#120a07" stop-opacity="0"/></linearGradient>
  <linearGradient id="fade" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${palette.ground}" stop-opacity="0"/><stop offset=".32" stop-color="${palette.ground}"/></linearGradient>
  <clipPath id="thumbnail"><rect x="24" y="264" width="30" height="40" rx="7"/></clipPath>`;

export function appScreen() {
  return [
    photograph(),
    statusBar(),
    buttonsOverPhotograph(),
    heading(),
    sourceClip(),
    ingredients(),
    method(),
    startButton(),
  ].join("");
}
