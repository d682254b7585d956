// Generates every picture of the site and prints the size of each file: see README.md.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import sharp from "sharp";
import { optimize } from "svgo";
import { heroDrawing, LAYOUTS } from "./hero-picture.mjs";
import { icoFile } from "./ico.mjs";
import { icon, maskableIcon, smallestIcon, squareIcon } from "./mark.mjs";
import { palettes } from "./palette.mjs";
import { PHOTO, socialCard } from "./social-card.mjs";
import { svgDocument } from "./svg-document.mjs";

const art = new URL("../src/art/", import.meta.url);

/** Whether the landing page shows the drawing. Who shows another picture there has deleted it. */
const isDrawn = existsSync(new URL("hero-wide-light.svg", art));

/** Writes a file below `ui/`. */
function write(path, bytes) {
  writeFileSync(new URL(`../${path}`, import.meta.url), bytes);
  const compressed = path.endsWith(".svg") ? `, ${brotliCompressSync(bytes).length} bytes with Brotli` : "";
  console.log(`${path}: ${bytes.length} bytes${compressed}`);
}

function minify(drawing) {
  const { data } = optimize(drawing, {
    multipass: true,
    floatPrecision: 1,
    plugins: [
      {
        name: "preset-default",
        // Scales and opacities need two decimals. Merged paths would change the order of overlapping
        // shapes. Letters keep their relative coordinates: equal letters then compress to a reference. An
        // animation replaces the transform of its group, so the transform of its child must not move there.
        params: {
          overrides: {
            // Short identifiers beside a style element, too: its selectors name classes only.
            cleanupIds: { force: true, preserve: ["end"] },
            collapseGroups: false,
            cleanupNumericValues: { floatPrecision: 2 },
            convertTransform: { floatPrecision: 2, transformPrecision: 5 },
            mergePaths: false,
            // The copies of the pills are seen only while they fly.
            removeHiddenElems: { opacity0: false },
            convertPathData: { utilizeAbsolute: false, applyTransforms: false, floatPrecision: 1 },
          },
        },
      },
    ],
  });
  return Buffer.from(data);
}

/** A square PNG with a palette of at most `colours` colours; `size` is in pixels. */
function raster(drawing, size, colours) {
  // An icon is 64 units wide, which sharp draws as 64 pixels at 72 dpi.
  const density = 72 * (size / 64);
  return sharp(Buffer.from(drawing), { density })
    .resize(size, size)
    .png({ palette: true, colours, effort: 10, compressionLevel: 9 })
    .toBuffer();
}

/** The picture of a shared link, in at most 100,000 bytes (PAGE-24) if it can be. An owner's hero picture, `hero.webp` or of another type, fills its right end. */
async function socialPicture() {
  const card = sharp(Buffer.from(socialCard({ isDrawn })));
  // Dither would mix the green of the cloth from greys. A lower quality shows in the eggs.
  if (isDrawn) return card.png({ palette: true, quality: 62, dither: 0, effort: 10, compressionLevel: 9 }).toBuffer();
  const hero = readdirSync(art).find((name) => /^hero\.\w+$/.test(name));
  if (hero) {
    const { width, height, left } = PHOTO;
    const photo = await sharp(fileURLToPath(new URL(hero, art)))
      .resize(width, height)
      .toBuffer();
    card.composite([{ input: photo, left, top: 0 }]);
  }
  let png;
  for (const quality of [70, 50, 30, 15]) {
    png = await card.png({ palette: true, quality, effort: 10, compressionLevel: 9 }).toBuffer();
    if (png.length <= 100_000) break;
  }
  return png;
}

for (const [shape, layout] of Object.entries(isDrawn ? LAYOUTS : {})) {
  for (const [scheme, palette] of Object.entries(palettes)) {
    const drawing = svgDocument({ ...layout, id: "end" }, heroDrawing(layout, palette));
    write(`src/art/hero-${shape}-${scheme}.svg`, minify(drawing));
  }
}
write("public/icon.svg", minify(icon));

write("public/icon-192.png", await raster(icon, 192, 32));
write("public/icon-512.png", await raster(icon, 512, 32));
write("public/icon-maskable-512.png", await raster(maskableIcon, 512, 32));
write("public/apple-touch-icon.png", await raster(squareIcon, 180, 32));
write(
  "public/favicon.ico",
  icoFile([
    { size: 16, png: await raster(smallestIcon, 16, 64) },
    { size: 32, png: await raster(icon, 32, 64) },
    { size: 48, png: await raster(icon, 48, 64) },
  ]),
);

write("public/og.png", await socialPicture());
