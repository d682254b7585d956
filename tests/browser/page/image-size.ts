/** Width and height in pixels, from the header of the file. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG (IHDR, the first chunk, RFC 2083) or a JPEG (start-of-frame segment). */
export function imageSize(bytes: Buffer): Size {
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegSize(bytes);
  throw new Error(`neither PNG nor JPEG: ${bytes.subarray(0, 8).toString("hex")}`);
}

function jpegSize(bytes: Buffer): Size {
  let at = 2;
  while (at < bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    // SOF0 to SOF15. DHT, JPG and DAC are in the same range.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new Error("the JPEG has no start-of-frame segment");
}

/** The sizes of the pictures in an ICO file, in which 0 means 256 pixels. */
export function iconSizes(bytes: Buffer): Size[] {
  if (bytes.readUInt32LE(0) !== 0x00010000) throw new Error("not an ICO file");
  return Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => ({
    width: bytes.readUInt8(6 + index * 16) || 256,
    height: bytes.readUInt8(7 + index * 16) || 256,
  }));
}
