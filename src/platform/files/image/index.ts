import { avifDimensions } from './avif.ts';
import type { Dimensions } from './dimensions.ts';
import { jpegDimensions } from './jpeg.ts';
import { typeByMagic } from '../type/magic.ts';
import { svgDimensions } from './svg.ts';

export type { Dimensions } from './dimensions.ts';

const LARGEST = 0x7fffffff;

const READERS: Readonly<Record<string, (data: DataView) => Dimensions | undefined>> = {
  'image/png': png,
  'image/gif': (data) => ({ width: data.getUint16(6, true), height: data.getUint16(8, true) }),
  'image/webp': webp,
  'image/x-icon': icon,
  'image/jpeg': jpegDimensions,
  'image/avif': avifDimensions,
};

/**
 * The size of an image, from its headers; undefined for other content, or if the bytes end before the size. The first
 * megabyte is enough for nearly all images (metadata of a photograph may come first); more is not read.
 */
export function dimensionsOf(bytes: Uint8Array): Dimensions | undefined {
  const data = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024 * 1024));
  const type = typeByMagic(bytes) ?? 'image/svg+xml';
  try {
    const found = type === 'image/svg+xml' ? svgDimensions(bytes) : READERS[type]?.(data);
    return found && isSize(found.width) && isSize(found.height) ? found : undefined;
  } catch (error) {
    // Out of bounds: a damaged file has no size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isSize = (value: number) => Number.isInteger(value) && value >= 1 && value <= LARGEST;

function png(data: DataView): Dimensions | undefined {
  // Apple's variant puts a chunk of its own before the header.
  const header = data.getUint32(12) === 0x43674249 ? 32 : 16;
  if (data.getUint32(header - 4) !== 0x49484452) return undefined;
  return { width: data.getUint32(header), height: data.getUint32(header + 4) };
}

function webp(data: DataView): Dimensions | undefined {
  switch (data.getUint8(15)) {
    case 0x58: // VP8X: 24 bits each, minus one.
      return {
        width: (data.getUint32(24, true) & 0xffffff) + 1,
        height: (data.getUint32(26, true) >>> 8) + 1,
      };
    case 0x4c: {
      const bits = data.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
  }
}

/** The largest of the pictures in it. Zero means 256. */
function icon(data: DataView): Dimensions {
  let largest = { width: 0, height: 0 };
  for (let entry = 6; entry < 6 + 16 * data.getUint16(4, true); entry += 16) {
    const [width, height] = [data.getUint8(entry) || 256, data.getUint8(entry + 1) || 256];
    if (width > largest.width) largest = { width, height };
  }
  return largest;
}
