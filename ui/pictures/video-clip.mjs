// A short cooking video, paused while the camera shows the finished dish.
import { textLine } from "./text-outlines.mjs";

export const CLIP = { width: 188, height: 334 };

export const clipDefinitions = `
  <clipPath id="clip-edge"><rect width="188" height="334" rx="24"/></clipPath>
  <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#8b5a38"/><stop offset="1" stop-color="#4c2817"/></linearGradient>
  <radialGradient id="clip-pan-shade"><stop offset=".78" stop-color="#180903" stop-opacity=".75"/><stop offset="1" stop-color="#180903" stop-opacity="0"/></radialGradient>
  <linearGradient id="caption-shade" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#170a05" stop-opacity="0"/><stop offset=".55" stop-color="#170a05" stop-opacity=".78"/><stop offset="1" stop-color="#170a05" stop-opacity=".92"/></linearGradient>`;

export function clip() {
  const white = { face: "bold", fill: "#fff" };
  return `
  <g clip-path="url(#clip-edge)">
  <rect width="188" height="334" fill="url(#wood)"/>
  <path d="M0 58Q90 50 188 62M0 128Q100 134 188 122M0 214Q80 206 188 218M0 20Q110 26 188 16M0 92Q60 98 188 90M0 252Q120 258 188 250" fill="none" stroke="#2b1208" stroke-width="1.5" stroke-opacity=".4"/>
  <ellipse cx="100" cy="150" rx="108" ry="108" fill="url(#clip-pan-shade)"/>
  <use href="#dish" transform="translate(92 138)rotate(-36)scale(.84)"/>
  <use href="#steam" transform="translate(94 128)"/>
  <rect y="190" width="188" height="144" fill="url(#caption-shade)"/>
  <rect x="14" y="16" width="94" height="25" rx="6" fill="#fff"/>
  ${textLine("one pan, 25 min", 61, 32.6, { face: "bold", size: 10.5, fill: "#2b1915", anchor: "middle" })}
  <circle cx="94" cy="146" r="29" fill="#170a05" fill-opacity=".62"/>
  <path d="M86 133.5v25q0 3 2.6 1.4l19.4-12.3q2.2-1.6 0-3.2l-19.4-12.3q-2.6-1.6-2.6 1.4z" fill="#fff"/>
  ${textLine("@onepan.nora", 14, 276, { ...white, size: 12 })}
  ${textLine("The eggs go in last. Trust me.", 14, 294, { face: "regular", size: 10.2, fill: "#fff" })}
  <rect x="14" y="311" width="126" height="3.6" rx="1.8" fill="#fff" fill-opacity=".4"/>
  <rect x="14" y="311" width="88" height="3.6" rx="1.8" fill="#ffcf57"/><circle cx="102" cy="312.8" r="4.5" fill="#ffcf57"/>
  ${textLine("0:29", 174, 316.6, { ...white, size: 10.5, anchor: "end" })}
  </g>
  <rect x=".75" y=".75" width="186.5" height="332.5" rx="23.3" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="1.5"/>`;
}
