// Draws every picture of the site into the folder above, and says what each weighs:
//   cd ui/src/art/studio && npm install && npm run draw
import { writeFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import sharp from "sharp";
import { optimize } from "svgo";
import { icon, maskableIcon, smallestIcon, squareIcon, wordmark } from "./brand.mjs";
import { HERO, heroDrawing } from "./hero.mjs";
import { iconFile } from "./icon-file.mjs";
import { picture } from "./picture.mjs";
import { socialCard } from "./social-card.mjs";

function write(name, bytes) {
  writeFileSync(new URL(`../${name}`, import.meta.url), bytes);
  const sent = name.endsWith(".svg") ? `, ${brotliCompressSync(bytes).length} in Brotli` : "";
  console.log(`${name}: ${bytes.length} bytes${sent}`);
}

function slim(drawing) {
  const { data } = optimize(drawing, {
    multipass: true,
    floatPrecision: 1,
    plugins: [
      {
        name: "preset-default",
        // Scales and opacities need a second decimal; the order of overlapping shapes must stay, and
        // so must what is alike in two letters: relative coordinates, in units of the em.
        params: {
          overrides: {
            cleanupNumericValues: { floatPrecision: 2 },
            convertTransform: { floatPrecision: 2, transformPrecision: 5 },
            mergePaths: false,
            convertPathData: { utilizeAbsolute: false, applyTransforms: false, floatPrecision: 1 },
          },
        },
      },
    ],
  });
  return Buffer.from(data);
}

function raster(drawing, size, colours) {
  const density = 72 * (size / 64);
  return sharp(Buffer.from(drawing), { density })
    .resize(size, size)
    .png({ palette: true, colours, effort: 10, compressionLevel: 9 })
    .toBuffer();
}

write("phone.svg", slim(picture(HERO, heroDrawing())));
write("icon.svg", slim(icon));
const name = wordmark();
write("wordmark.svg", slim(picture(name, name.drawing)));

write("icon-192.png", await raster(icon, 192, 32));
write("icon-512.png", await raster(icon, 512, 32));
write("icon-maskable-512.png", await raster(maskableIcon, 512, 32));
write("apple-touch-icon.png", await raster(squareIcon, 180, 32));
write(
  "favicon.ico",
  iconFile([
    { size: 16, png: await raster(smallestIcon, 16, 64) },
    { size: 32, png: await raster(icon, 32, 64) },
    { size: 48, png: await raster(icon, 48, 64) },
  ]),
);

write(
  "og.png",
  await sharp(Buffer.from(socialCard()))
    .png({ palette: true, quality: 60, dither: 0.5, effort: 10, compressionLevel: 9 })
    .toBuffer(),
);
