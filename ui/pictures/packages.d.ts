// The packages of this folder, which are installed only to draw.
declare module "opentype.js";
declare module "sharp";
declare module "svgo";
