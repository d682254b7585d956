// A short cooking video, paused while the camera shows the finished dish.
import { gleam, handle } from "./dish.mjs";
import { round } from "./shapes.mjs";
import { textLine } from "./text-outlines.mjs";

export const CLIP = { width: 188, height: 334 };

/** Of the whole clip: it is right wherever the progress bar is. The recipe names its source with it. */
export const LENGTH = "0:42";

/**
 * Of the progress bar: its left end, its length, and the length of the part that was played. `covered` is the width at the
 * right edge of the clip that the phone hides: icons, bar and length stand beside it.
 */
export const progress = ({ covered }) => ({ x: 14, length: 126 - covered, played: round(0.7 * (126 - covered)) });

export const clipDefinitions = `
  <clipPath id="clip-edge"><rect width="188" height="334" rx="24"/></clipPath>
  <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#94613d"/><stop offset="1" stop-color="#4c2817"/></linearGradient>
  <radialGradient id="clip-pan-shade"><stop offset=".78" stop-color="#180903" stop-opacity=".75"/><stop offset="1" stop-color="#180903" stop-opacity="0"/></radialGradient>
  <linearGradient id="caption-shade" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#170a05" stop-opacity="0"/><stop offset=".55" stop-color="#170a05" stop-opacity=".78"/><stop offset="1" stop-color="#170a05" stop-opacity=".92"/></linearGradient>`;

// The haze of the hot dish hides nothing: it is lighter than its ground by a few per cent.
const HAZE = [gleam(70, 74, 62, 30, 0, 0.12), gleam(124, 60, 56, 34, 0, 0.12), gleam(92, 44, 74, 26, 0, 0.12)].join("");

const RAIL = `<g fill="#fff"><path d="M168 221C157.4 214 157 203.6 162.6 202.3Q166.8 201.6 168 205.6Q169.2 201.6 173.4 202.3C179 203.6 178.6 214 168 221Z"/>
  <path d="M168 231.5c6 0 10.6 3.8 10.6 8.6s-4.6 8.6-10.6 8.6q-2 0-3.8-.5l-4.6 2.4 1-4.4q-3.2-2.5-3.2-6.1c0-4.8 4.6-8.6 10.6-8.6z"/>
  <path d="M168.8 259v4.4c-6.8.3-10 4.4-10.8 10 2.8-3.8 5.9-5.2 10.8-5.2v4.5l10-6.9z"/></g>`;

export function clip({ pill: paper }, { covered }) {
  const white = { face: "bold", fill: "#fff" };
  const { x, length, played } = progress({ covered });
  return `
  <g clip-path="url(#clip-edge)">
  <rect width="188" height="334" fill="url(#wood)"/>
  <path d="M0 58Q90 50 188 62M0 128Q100 134 188 122M0 214Q80 206 188 218M0 20Q110 26 188 16M0 92Q60 98 188 90M0 252Q120 258 188 250" fill="none" stroke="#2b1208" stroke-width="1.5" stroke-opacity=".4"/>
  <ellipse cx="100" cy="150" rx="108" ry="108" fill="url(#clip-pan-shade)"/>
  <g transform="translate(92 138)"><g class="film"><g transform="rotate(-36)scale(.84)">${handle}<use href="#dish"/></g></g></g>
  ${HAZE}
  <rect y="180" width="188" height="154" fill="url(#caption-shade)"/>
  <rect x="44" y="16" width="100" height="26" rx="7" fill="${paper}"/>
  ${textLine("one pan, 25 min", 94, 32.9, { face: "bold", size: 11, fill: "#2b1915", anchor: "middle" })}
  <g transform="translate(-${covered})">${RAIL}</g>
  ${textLine("@onepan.nora", 14, 258, { ...white, size: 12 })}
  ${["The eggs go in last.", "Trust me."].map((words, row) => textLine(words, 14, 274 + row * 14, { face: "regular", size: 10.5, fill: "#fff" })).join("")}
  <rect x="${x}" y="304" width="${length}" height="3.6" rx="1.8" fill="#fff" fill-opacity=".4"/>
  <rect class="bar" x="${x}" y="304" width="${played}" height="3.6" rx="1.8" fill="#ffcf57"/><circle class="knob" cx="${x + played}" cy="305.8" r="4.5" fill="#ffcf57"/>
  ${textLine(LENGTH, 174 - covered, 309.6, { ...white, size: 10.5, anchor: "end" })}
  </g>
  <rect x=".75" y=".75" width="186.5" height="332.5" rx="23.3" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="1.5"/>`;
}
