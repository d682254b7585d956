/** Width and height in pixels, from the header of the file. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG (IHDR, the first chunk, RFC 2083). */
export function imageSize(bytes: Buffer): Size {
  if (!bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")))
    throw new Error("not a PNG");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The sizes of the pictures in an ICO file, in which 0 means 256 pixels. */
export function iconSizes(bytes: Buffer): Size[] {
  if (bytes.readUInt32LE(0) !== 0x00010000) throw new Error("not an ICO file");
  return Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => ({
    width: bytes.readUInt8(6 + index * 16) || 256,
    height: bytes.readUInt8(7 + index * 16) || 256,
  }));
}
