// Checks that each pair of colours that the style sheet combines has the contrast that WCAG 2 requires, in all four
// colour schemes (PAGE-31). Prints the pairs below the minimum and exits with 1 if there are any.
//   node contrast.mjs [--table]   --table prints all ratios

import { parseArgs } from "node:util";
import { colorsByBlock } from "./colors.mjs";

const BACKGROUNDS = ["ground", "surface", "linen"];

/** SC 1.4.6. */
const TEXT_CONTRAST = 7;

/**
 * Text colours, each with the backgrounds that it is used on.
 * @type {[string, string[]][]}
 */
const TEXT_PAIRS = [
  ["ink", [...BACKGROUNDS, "saffron", "glow", "marker"]],
  ["ink-soft", [...BACKGROUNDS, "saffron", "glow"]],
  ["placeholder", ["linen"]],
  ["tomato", ["ground", "surface"]],
  ["tomato-deep", ["ground", "surface"]],
  ["on-button", ["tomato", "tomato-deep", "herb"]],
  ["herb", BACKGROUNDS],
  ["linen", ["ink"]],
  ["invalid", BACKGROUNDS],
];

/**
 * The colours of control boundaries, each with its backgrounds.
 * @type {[string, string[]][]}
 */
const BOUNDARY_PAIRS = [
  ["edge", BACKGROUNDS],
  ["invalid", BACKGROUNDS],
  ["focus", [...BACKGROUNDS, "saffron", "glow"]],
  ["tomato", ["saffron", "glow", "surface"]],
  ["tomato-deep", ["saffron", "glow", "surface"]],
];

/** `prefers-color-scheme` and `prefers-contrast` as conditions of the `@media` blocks of tokens.css. */
const DARK = "screen and (prefers-color-scheme: dark)";
const MORE = "(prefers-contrast: more)";
const MORE_DARK = "screen and (prefers-contrast: more) and (prefers-color-scheme: dark)";

/**
 * The blocks that apply in each scheme, in the order of the cascade, and the minimum contrast of boundaries. SC 1.4.11: 3;
 * more for users who prefer more contrast.
 */
const SCHEMES = [
  { name: "light", blocks: ["all"], boundary: 3 },
  { name: "dark", blocks: ["all", DARK], boundary: 3 },
  { name: "more", blocks: ["all", MORE], boundary: 4.5 },
  { name: "more dark", blocks: ["all", DARK, MORE, MORE_DARK], boundary: 4.5 },
];

function options() {
  try {
    return parseArgs({ options: { table: { type: "boolean" } } }).values;
  } catch (error) {
    console.error(`${error.message}; usage: node contrast.mjs [--table]`);
    process.exit(2);
  }
}

function color(name, scheme) {
  const value = Object.assign({}, ...scheme.blocks.map((query) => blocks.get(query)))[name];
  if (!value) throw new Error(`tokens.css does not define --color-${name}: remove it from the pairs in contrast.mjs`);
  return value;
}

/** WCAG 2, relative luminance. */
function luminance(hex) {
  const channel = (offset) => {
    const value = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** WCAG 2, contrast ratio. */
function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** Rounded down to one decimal: 4.499 is not shown as 4.5. */
function format(ratio) {
  return (Math.floor(ratio * 10) / 10).toFixed(1);
}

const { table } = options();
const blocks = colorsByBlock();
const unknown = [...blocks.keys()].filter((query) => !SCHEMES.some((scheme) => scheme.blocks.includes(query)));
if (unknown.length > 0) throw new Error(`contrast.mjs does not know @media ${unknown}: add it to a scheme`);

const rows = Object.entries({ text: TEXT_PAIRS, boundary: BOUNDARY_PAIRS }).flatMap(([kind, pairs]) =>
  pairs.flatMap(([foreground, backgrounds]) =>
    backgrounds.map((background) => ({
      pair: `${foreground} on ${background}`,
      ratios: SCHEMES.map((scheme) => ({
        ratio: contrast(color(foreground, scheme), color(background, scheme)),
        minimum: kind === "text" ? TEXT_CONTRAST : scheme.boundary,
        scheme: scheme.name,
      })),
    })),
  ),
);

if (table) {
  console.log("".padEnd(30) + SCHEMES.map(({ name }) => name.padStart(10)).join(""));
  for (const { pair, ratios } of rows) {
    console.log(pair.padEnd(30) + ratios.map(({ ratio }) => format(ratio).padStart(10)).join(""));
  }
}

for (const { pair, ratios } of rows) {
  for (const { ratio, minimum, scheme } of ratios) {
    if (ratio >= minimum) continue;
    console.error(`src/styles/tokens.css: ${pair} has a contrast of ${format(ratio)} in ${scheme}, minimum ${minimum}`);
    process.exitCode = 1;
  }
}
