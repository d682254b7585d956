import { heroDrawing, LAYOUTS, PHONE } from "./hero-picture.mjs";
import { mark } from "./mark.mjs";
import { palettes } from "./palette.mjs";
import { svgDocument } from "./svg-document.mjs";
import { outline } from "./text-outlines.mjs";

const CARD = { width: 1200, height: 630, title: "The headline beside a short cooking video turning into a recipe" };
/** Of the mark, the headline and the phone. */
const MARGIN = 56;
/** The lines of the headline in `src/app/pages/landing.tsx`. */
const HEADLINE = ["Extract and log", "your favourite", "tiktok recipes", "using AI"];

/**
 * The preview image of a shared link (`og:image`). It shows the mark without the product's name: the name is a setting
 * of the server, and the preview shows it as text.
 */
export function socialCard() {
  const palette = palettes.light;
  const { phone } = LAYOUTS.wide;
  const scale = (CARD.height - 2 * MARGIN) / PHONE.height;
  const heroX = CARD.width - MARGIN - (phone.x + PHONE.width) * scale;
  const heroY = MARGIN - phone.y * scale;
  const lines = HEADLINE.map(
    (line, index) => outline(line, MARGIN, 303 + index * 85, { face: "display", size: 76, tracking: -0.018 }).path,
  );
  return svgDocument(
    CARD,
    `<rect width="${CARD.width}" height="${CARD.height}" fill="${palette.saffron}"/>
  <g transform="translate(${MARGIN} ${MARGIN})scale(1.6)">${mark}</g>
  <path d="${lines.join("")}" fill="${palette.ink}"/>
  <g transform="translate(${heroX} ${heroY})scale(${scale})">${heroDrawing(LAYOUTS.wide, palette)}</g>`,
  );
}
