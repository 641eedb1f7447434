import type { Dimensions } from './dimensions.ts';

/** From this EXIF orientation on, the image is rotated by 90°: width and height are swapped. */
const FIRST_SIDEWAYS = 5;

/** Walks the segments to the frame header. Each step is at least two bytes forward. */
export function jpegDimensions(data: DataView): Dimensions | undefined {
  let orientation = 1;
  for (let at = 2; ;) {
    if (data.getUint8(at) !== 0xff) return undefined;
    const marker = data.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Image data or end of file: there is no frame header.
    if (marker === 0xda || marker === 0xd9) return undefined;
    const length = data.getUint16(at + 2);
    if (isFrame(marker)) {
      const [height, width] = [data.getUint16(at + 5), data.getUint16(at + 7)];
      return orientation >= FIRST_SIDEWAYS ? { width: height, height: width } : { width, height };
    }
    if (marker === 0xe1) orientation = orientationIn(data, at + 4) ?? orientation;
    at += 2 + length;
  }
}

/** SOF0 to SOF15, without the three in between that are none: DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function orientationIn(data: DataView, start: number): number | undefined {
  if (start + 14 > data.byteLength || data.getUint32(start) !== 0x45786966) return undefined;
  const tiff = start + 6;
  const isLittle = data.getUint16(tiff) === 0x4949;
  const directory = tiff + data.getUint32(tiff + 4, isLittle);
  if (directory + 2 > data.byteLength) return undefined;
  const end = Math.min(directory + 2 + 12 * data.getUint16(directory, isLittle), data.byteLength - 11);
  for (let entry = directory + 2; entry < end; entry += 12) {
    if (data.getUint16(entry, isLittle) === 0x0112) return data.getUint16(entry + 8, isLittle);
  }
  return undefined;
}
