// Shakshuka in a cast-iron skillet, seen from above. The centre is the origin, the radius of the rim is 112.
import { blob, discs, round, seededRandom, wavyDisc } from "./shapes.mjs";

const SAUCE_RADIUS = 98;

const EGGS = [
  { x: -38, y: -34, radius: 35, seed: 11, yolk: [-4, -1, 15.5] },
  { x: 43, y: -30, radius: 32, seed: 29, yolk: [1, -3, 14.5] },
  { x: 34, y: 42, radius: 36, seed: 5, yolk: [-1, 0, 16] },
  { x: -43, y: 40, radius: 32, seed: 47, yolk: [3, -1, 14.5] },
];

// Browsers that force dark colours on a page turn light stops black, and keep a flat fill. So white, bread and gleams are
// flat, and the gradients over them are dark.
const gradients = `
  <radialGradient id="iron" cx=".36" cy=".3" r=".8"><stop offset=".55" stop-color="#3b3431"/><stop offset="1" stop-color="#171210"/></radialGradient>
  <linearGradient id="rim" x1=".1" y1="0" x2=".8" y2="1"><stop stop-color="#a3958c"/><stop offset=".35" stop-color="#4a413c"/><stop offset="1" stop-color="#0e0b0a"/></linearGradient>
  <radialGradient id="sauce" cx=".46" cy=".42" r=".6"><stop stop-color="#ec5a20"/><stop offset=".6" stop-color="#d13a12"/><stop offset=".88" stop-color="#a92209"/><stop offset="1" stop-color="#6f1205"/></radialGradient>
  <radialGradient id="white-edge" cx=".4" cy=".36" r=".68"><stop offset=".55" stop-color="#c9741f" stop-opacity="0"/><stop offset=".82" stop-color="#c9741f" stop-opacity=".1"/><stop offset="1" stop-color="#c9741f" stop-opacity=".48"/></radialGradient>
  <radialGradient id="yolk" cx=".38" cy=".34" r=".72"><stop stop-color="#ffc021" stop-opacity="0"/><stop offset=".4" stop-color="#ffc021"/><stop offset=".8" stop-color="#fb9a0d"/><stop offset="1" stop-color="#dd6f04"/></radialGradient>
  <linearGradient id="tomato" x1="0" y1="0" x2=".6" y2="1"><stop stop-color="#ff6a3d"/><stop offset="1" stop-color="#c3210c"/></linearGradient>
  <linearGradient id="leaf" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#9ccf4f"/><stop offset="1" stop-color="#2e7a2f"/></linearGradient>
  <linearGradient id="crust" x1="0" y1="0" x2=".4" y2="1"><stop stop-color="#c9813c"/><stop offset="1" stop-color="#71390f"/></linearGradient>
  <radialGradient id="crumb" cx=".4" cy=".4" r=".7"><stop stop-color="#d99a4e" stop-opacity="0"/><stop offset=".7" stop-color="#d99a4e" stop-opacity=".36"/><stop offset="1" stop-color="#d99a4e"/></radialGradient>
  <radialGradient id="light" cx=".32" cy=".26" r=".82"><stop offset=".6" stop-color="#2a0500" stop-opacity="0"/><stop offset="1" stop-color="#2a0500" stop-opacity=".42"/></radialGradient>
`;

/** A soft light of white discs, one over the other. Its opacity is that of its middle. */
export const gleam = (x, y, width, height, turn, opacity) =>
  `<g fill="#fff" fill-opacity="${round(opacity * 30) / 100}" transform="translate(${x} ${y})rotate(${turn})scale(${width} ${height})"><circle r="1"/><circle r=".78"/><circle r=".56"/><circle r=".34"/></g>`;

// A parsley leaf of three lobes, 22 wide. The origin is the lower end of its stem.
const LEAF = `M0 1L-4-7 0-14 4-7Z${discs([
  [0, -17, 4],
  [-3.6, -14.5, 3.4],
  [3.6, -14.5, 3.4],
  [0, -11, 4],
  [-8.2, -9.5, 3.4],
  [-5.5, -6.5, 3.2],
  [-9, -5.5, 2.6],
  [-4, -9, 3],
  [8.2, -9.5, 3.4],
  [5.5, -6.5, 3.2],
  [9, -5.5, 2.6],
  [4, -9, 3],
])}`;

/** The handle and the two lips, behind the dish. A close photograph does not show them. */
export const handle = `
  <path d="M62-92 92-150Q97-160 107-155L120-148Q129-143 124-133L94-72Z" fill="url(#rim)"/>
  <path d="M70-92 96-146Q99-152 105-149L117-143Q122-140 119-134L92-82Z" fill="#2a2421"/>
  <ellipse cx="109" cy="-137" rx="4.5" ry="8" transform="rotate(27 109-137)" fill="#0d0a09"/>
  <path d="M-112-14Q-126-4-112 10ZM110 22Q125 34 104 46Z" fill="#2a2421"/>`;

function skillet() {
  return `
  <circle r="112" fill="url(#rim)"/>
  <circle r="109" fill="url(#iron)"/>
  <circle r="103.5" fill="#120d0b"/>
  <path d="M-84-60A103.5 103.5 0 0 1-20-101.5" fill="none" stroke="#a99b91" stroke-width="2" stroke-linecap="round" stroke-opacity=".7"/>`;
}

function scatter(random, count, reach) {
  return Array.from({ length: count }, () => {
    const [angle, distance] = [random(0, 2 * Math.PI), Math.sqrt(random()) * reach];
    return [Math.round(Math.cos(angle) * distance), Math.round(Math.sin(angle) * distance)];
  });
}

// Soft reflections of the light on the wet sauce, as [x, y, length, turn].
const REFLECTIONS = [
  [-66, -62, 15, -45],
  [-90, 2, 13, -82],
  [-4, -20, 11, -30],
  [6, -86, 14, 4],
  [-6, 36, 10, -40],
  [80, -2, 9, -70],
];

function sauce() {
  const random = seededRandom(7);
  const lumps = scatter(random, 12, 84)
    .map(([x, y], index) => blob(x, y, 5 + (index % 3) * 3, { points: 5, wobble: 0.3, squash: 0.7 }))
    .join("");
  const droplets = scatter(random, 10, 90).map(([x, y]) => `M${x} ${y}h0`);
  const reflections = REFLECTIONS.map(([x, y, length, turn]) => gleam(x, y, length, 4, turn, 0.4));
  const waves = [
    [3, 0.008],
    [7, 0.009],
  ];
  return `
  <path d="${wavyDisc(random, 0, 0, SAUCE_RADIUS, waves, 20)}" fill="url(#sauce)"/>
  <path d="${lumps}" fill="#7d1404" fill-opacity=".36" transform="translate(1.6 2.6)"/>
  <path d="${lumps}" fill="#f2622a" fill-opacity=".5"/>
  <path d="${droplets.join("")}" fill="none" stroke="#ffbe66" stroke-opacity=".65" stroke-width="3" stroke-linecap="round"/>
  ${reflections.join("")}`;
}

// Pieces of tomato as [x, y, size], none of which reaches the iron.
const TOMATOES = [
  [-6, -70, 10],
  [-73, -29, 9],
  [78, 12, 10],
  [2, -4, 12],
  [-4, 62, 10],
  [-80, 20, 8],
  [68, -48, 9],
  [61, 57, 9],
  [-13, 78, 8],
  [-47, -69, 8],
  [31, -75, 8],
  [10, 20, 8],
  [-64, 53, 9],
  [4, -36, 8],
];

function tomatoes() {
  const pieces = TOMATOES.map(([x, y, size]) => blob(x, y, size, { points: 6, wobble: 0.2, squash: 0.78 }));
  const highlights = TOMATOES.map(([x, y, size]) => `M${x - size / 2} ${y - 1}q2-3 6-3`);
  return `
  <path d="${pieces.join("")}" fill="#6a0f03" fill-opacity=".55" transform="translate(1.2 2.4)"/>
  ${pieces.map((d) => `<path d="${d}" fill="url(#tomato)"/>`).join("")}
  <path d="${highlights.join("")}" fill="none" stroke="#ffd0b0" stroke-width="1.5" stroke-linecap="round" stroke-opacity=".65"/>`;
}

// Strips of bell pepper and slices of onion.
function vegetables() {
  const strips = [
    ["M-90-14Q-85 4-89 18", "#f5a02a"],
    ["M6-88Q22-92 34-88", "#f5a02a"],
    ["M-16 6Q-6-2 0 12", "#f5a02a"],
    ["M88-20Q92-8 88 4", "#e62f17"],
    ["M6 84Q18 90 30 85", "#e62f17"],
    ["M-62 78Q-52 84-40 82", "#f5a02a"],
    ["M58-76Q68-70 74-62", "#f5a02a"],
    ["M-4 34Q2 44-2 54", "#e62f17"],
    ["M-30-82Q-20-88-10-86", "#e62f17"],
    ["M80 40Q82 50 76 58", "#f5a02a"],
    ["M-4-24Q4-30 12-20", "#e62f17"],
  ];
  const paths = strips.map(([d]) => d).join("");
  const onions =
    "M-72-62Q-62-76-46-80M8-52Q2-40 10-28M-22 58Q-12 62-10 72M56 80Q46 86 40 86M-82 46Q-80 56-74 60M86 24Q84 32 86 36";
  return `
  <g fill="none" stroke-linecap="round">
  <path d="${paths}" stroke="#7a1204" stroke-width="7" stroke-opacity=".5" transform="translate(.8 1.8)"/>
  ${strips.map(([d, color]) => `<path d="${d}" stroke="${color}" stroke-width="5.5"/>`).join("")}
  <path d="${paths}" stroke="#fff0d0" stroke-width="1.1" stroke-opacity=".45" transform="translate(-.6-1.3)"/>
  <path d="${onions}" stroke="#7a1204" stroke-width="4" stroke-opacity=".4" transform="translate(.6 1)"/>
  <path d="${onions}" stroke="#ffe2bd" stroke-width="2.4" stroke-opacity=".8"/></g>`;
}

function egg({ x, y, radius, seed, yolk: [yolkX, yolkY, yolkRadius] }) {
  const white = wavyDisc(
    seededRandom(seed),
    0,
    0,
    radius,
    [
      [2, 0.05],
      [3, 0.06],
      [5, 0.045],
      [8, 0.02],
    ],
    18,
  );
  const light = [-0.36, -0.42, 0.36, 0.2].map((part) => round(part * yolkRadius));
  return `
  <g transform="translate(${x} ${y})">
  <path d="${white}" fill="#5a0d03" fill-opacity=".35" stroke="#5a0d03" stroke-width="5" stroke-opacity=".35" transform="translate(1.2 2.4)"/>
  <path d="${white}" fill="#fffdf8"/>
  <path d="${white}" fill="url(#white-edge)"/>
  <g transform="translate(${yolkX} ${yolkY})">
  <circle cx="1.6" cy="2.8" r="${yolkRadius + 0.8}" fill="#c98a48" fill-opacity=".55"/>
  <circle r="${yolkRadius}" fill="#ffe46b"/>
  <circle r="${yolkRadius}" fill="url(#yolk)"/>
  ${gleam(...light, -34, 1)}</g></g>`;
}

// Splashes of sauce across the edges of the egg whites, as [x, y, size].
function sauceOverEggs() {
  const splashes = [
    [-70, -50, 6],
    [-14, -56, 5],
    [72, -12, 6],
    [16, -46, 5],
    [66, 58, 6],
    [2, 62, 5],
    [-72, 54, 6],
    [-16, 22, 5],
  ];
  const paths = splashes.map(([x, y, size]) => blob(x, y, size, { points: 5, wobble: 0.3, squash: 0.8 }));
  return `<path d="${paths.join("")}" fill="#cf3c12"/>`;
}

function toppings() {
  const random = seededRandom(21);
  const feta = [
    [-2, -66],
    [8, -70],
    [-70, 4],
    [-62, 10],
    [78, 8],
    [4, 66],
    [-6, 60],
    [-14, -52],
    [62, 74],
    [-24, 2],
    [2, 12],
    [70, -58],
  ];
  const crumbs = feta.map(([x, y], index) => blob(x, y, 4 + (index % 3), { points: 5, wobble: 0.26, squash: 0.8 }));
  const leaves = [
    [-12, -40, 20, 1],
    [-2, -34, -50, 0.8],
    [-66, -8, 70, 0.95],
    [-60, 2, 130, 0.75],
    [8, 26, -20, 1.05],
    [0, 30, 65, 0.85],
    [66, -8, 200, 0.95],
    [74, 0, 120, 0.7],
    [-8, 74, 10, 0.9],
    [-76, 34, -30, 0.7],
    [20, -62, 100, 0.8],
    [66, 66, -70, 0.8],
    [-38, -70, 150, 0.75],
  ];
  // None on a yolk, where two of them look like eyes.
  const flecks = scatter(random, 26, 84)
    .filter(([x, y]) =>
      EGGS.every((each) => Math.hypot(x - each.x - each.yolk[0], y - each.y - each.yolk[1]) > each.yolk[2] + 1),
    )
    .map(([x, y], index) => `M${x} ${y}${["h1", "l1 1", "v1"][index % 3]}`);
  return `
  <path d="${crumbs.join("")}" fill="#7a1204" fill-opacity=".4" transform="translate(.8 1.8)"/>
  <path d="${crumbs.join("")}" fill="#fffaf0"/>
  <g fill="none" stroke-linecap="round"><path d="${flecks.slice(0, 12).join("")}" stroke="#3a0d05" stroke-width="1.1"/>
  <path d="${flecks.slice(12).join("")}" stroke="#d8200c" stroke-width="1.7"/></g>
  ${leaves
    .map(
      ([x, y, turn, scale]) =>
        `<g transform="translate(${x} ${y})rotate(${turn})scale(${scale})"><use href="#parsley"/></g>`,
    )
    .join("")}`;
}

// A slice of toasted bread.
const CRUST =
  "M-42-16C-46-34-26-38-8-36C10-41 36-38 43-24C49-12 42-2 44 8C46 20 36 27 24 25C10 31-6 25-18 27C-32 29-42 22-40 10C-39 0-41-6-42-16Z";

function bread() {
  return `
  <g transform="translate(-84 78)rotate(-24)">
  <path d="${CRUST}" fill="#6b2e08" fill-opacity=".45" transform="translate(3 6)"/>
  <path d="${CRUST}" fill="url(#crust)"/>
  <g transform="translate(.5-.5)scale(.86)"><path d="${CRUST}" fill="#fbe3b5"/><path d="${CRUST}" fill="url(#crumb)"/></g>
  <path d="M-27-25Q-30-2-25 18M-9-28Q-12-4-8 19M9-29Q7-4 11 18" fill="none" stroke="#5c2a0c" stroke-width="4.5" stroke-linecap="round" stroke-opacity=".42"/>
  <path d="M-18-10h3M0-16h1M1 6h3M-32 5v1M-17 12h1M17-9v1M19 12h1M-33-12h1" fill="none" stroke="#bf7a35" stroke-opacity=".6" stroke-width="4.5" stroke-linecap="round"/></g>`;
}

/**
 * The content of `<defs>` that a document with `#dish` or `#bread` needs. A browser copies all elements of a
 * `<use>` on the thread that responds to input. A thumbnail therefore uses only `#dish-pan` and `#dish-eggs`.
 */
export const dishDefinitions = `${gradients}
  <g id="parsley"><path d="${LEAF}" fill="#8a3a0c" fill-opacity=".42" transform="translate(1.2 1.8)"/><path d="${LEAF}" fill="url(#leaf)"/><path d="M0 3V-16M0-4-7-8M0-4 7-8" fill="none" stroke="#dff0b4" stroke-width=".8" stroke-linecap="round" stroke-opacity=".75"/></g>
  <g id="dish"><g id="dish-pan">${skillet()}${sauce()}</g>${vegetables()}${tomatoes()}<g id="dish-eggs">${EGGS.map(egg).join("")}</g>${sauceOverEggs()}${toppings()}<circle r="103" fill="url(#light)"/></g>
  <g id="bread">${bread()}</g>`;
