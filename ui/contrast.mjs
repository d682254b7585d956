// Checks every colour pair that the site sets against WCAG 2's contrast floors, in all four
// schemes, from the token file itself:   node contrast.mjs
// Prints the table that stands at the head of tokens.css; exits 1 when a pair is below its floor.
import { readFileSync } from "node:fs";

const tokens = readFileSync(new URL("src/styles/tokens.css", import.meta.url), "utf8");

const GROUNDS = ["ground", "surface", "linen"];
const TEXT_PAIRS = [
  ["ink", GROUNDS],
  ["ink-soft", GROUNDS],
  ["tomato", GROUNDS],
  ["tomato-deep", GROUNDS],
  ["on-saffron", ["saffron"]],
  ["on-saffron-soft", ["saffron"]],
  ["on-button", ["button", "button-deep"]],
  ["herb", GROUNDS],
  ["ink", ["invalid-wash", "marker"]],
  ["invalid", [...GROUNDS, "invalid-wash"]],
];
const BOUNDARY_PAIRS = [
  ["edge", GROUNDS],
  ["invalid", GROUNDS],
  ["focus", [...GROUNDS, "saffron"]],
  ["button", ["saffron", "surface"]],
];

// SC 1.4.3 (4.5), SC 1.4.6 (7) for readers who ask for more, SC 1.4.11 (3) for boundaries.
const SCHEMES = [
  { name: "light", layers: [":root"], text: 4.5, boundary: 3 },
  { name: "dark", layers: [":root", "dark"], text: 4.5, boundary: 3 },
  { name: "more", layers: [":root", "more"], text: 7, boundary: 4.5 },
  { name: "more dark", layers: [":root", "dark", "more", "more dark"], text: 7, boundary: 4.5 },
];

const LAYER_OF_QUERY = {
  "screen and (prefers-color-scheme: dark)": "dark",
  "(prefers-contrast: more)": "more",
  "screen and (prefers-contrast: more) and (prefers-color-scheme: dark)": "more dark",
};

function colorsByLayer(css) {
  const layers = new Map();
  let layer = ":root";
  for (const line of css.split("\n")) {
    const query = line.match(/^@media (.+) \{$/)?.[1];
    if (query) layer = LAYER_OF_QUERY[query];
    const [, name, value] = line.match(/--color-([\w-]+): (#[0-9a-f]{6});/) ?? [];
    if (!name) continue;
    if (!layers.has(layer)) layers.set(layer, {});
    layers.get(layer)[name] = value;
  }
  return layers;
}

function luminance(hex) {
  const channel = (offset) => {
    const value = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function ratio(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const layers = colorsByLayer(tokens);
const palettes = SCHEMES.map((scheme) => ({
  ...scheme,
  colors: Object.assign({}, ...scheme.layers.map((layer) => layers.get(layer))),
}));

let failed = false;
function row(foreground, background, floorOf) {
  const cells = palettes.map((palette) => {
    const value = ratio(palette.colors[foreground], palette.colors[background]);
    const low = value < floorOf(palette);
    failed ||= low;
    // Rounded down: 4.499 must not read as 4.5.
    return `${(Math.floor(value * 10) / 10).toFixed(1)}${low ? "!" : ""}`.padStart(10);
  });
  console.log(` * ${`${foreground} on ${background}`.padEnd(30)}${cells.join("")}`);
}

function table(title, pairs, floorOf) {
  console.log(` * ${title.padEnd(30)}${palettes.map((p) => p.name.padStart(10)).join("")}`);
  for (const [foreground, backgrounds] of pairs) {
    for (const background of backgrounds) row(foreground, background, floorOf);
  }
}

table("text", TEXT_PAIRS, (palette) => palette.text);
table("boundary", BOUNDARY_PAIRS, (palette) => palette.boundary);
process.exitCode = failed ? 1 : 0;
