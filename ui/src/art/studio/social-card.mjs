// The picture that stands beside a shared link. It carries the mark and not the name: the name is the
// operator's to choose, and stands beside the picture in words.
import { mark } from "./brand.mjs";
import { HERO, heroDrawing } from "./hero.mjs";
import { outline } from "./lettering.mjs";
import { palette } from "./palette.mjs";
import { picture } from "./picture.mjs";

const CARD = { width: 1200, height: 630, title: "The headline beside a short cooking video turning into a recipe" };
const MARGIN = 72;
const HEADLINE = ["Extract and log", "your favourite", "tiktok recipes", "using AI"];

export function socialCard() {
  const scale = 0.98;
  const heroX = CARD.width - HERO.width * scale - 52;
  const heroY = (CARD.height - HERO.height * scale) / 2;
  const lines = HEADLINE.map(
    (line, index) => outline(line, MARGIN, 286 + index * 84, { face: "display", size: 74, tracking: -0.018 }).path,
  );
  return picture(
    CARD,
    `<rect width="${CARD.width}" height="${CARD.height}" fill="${palette.saffron}"/>
  <g transform="translate(${MARGIN} 76)scale(1.6)">${mark}</g>
  <path d="${lines.join("")}" fill="${palette.ink}"/>
  <g transform="translate(${heroX} ${heroY})scale(${scale})">${heroDrawing()}</g>`,
  );
}
