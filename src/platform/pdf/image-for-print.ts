import sharp from 'sharp';

/** 160 by 170 mm, the most that an image takes on paper, at 200 dots per inch. */
const MOST_WIDTH = 1260;
const MOST_HEIGHT = 1340;
/** A few bytes can say that they are a huge image. */
const MOST_PIXELS = 100_000_000;
/** Below this an image is left as it is: icons and logos keep their transparency. */
const FEW_PIXELS = 250_000;
/** Drawn as it is; one that is larger becomes pixels. */
const MOST_SVG = 512 * 1024;
const QUALITY = 85;
/** Pixels to an inch where an image does not say: its size on paper follows from it. */
const USUAL_DENSITY = 72;

// Each image takes one thread of libuv, and none is ever asked for again.
sharp.cache(false);
sharp.concurrency(1);

/**
 * An image as print needs it, of the same size on paper: the compiler decodes every pixel, and its memory is what ends
 * first. Undefined where it is no image, or has too many pixels.
 */
export async function imageForPrint(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await scale(bytes);
  } catch {
    return undefined;
  }
}

async function scale(bytes: Uint8Array): Promise<Uint8Array> {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error' } as const;
  const { format, width, height, density = USUAL_DENSITY } = await sharp(bytes, options).metadata();
  if (format === 'svg' && bytes.length <= MOST_SVG) return bytes;
  const ratio = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
  const isAsItShouldBe =
    ratio === 1 && (format === 'jpeg' || (format === 'png' && width * height <= FEW_PIXELS));
  if (isAsItShouldBe) return bytes;
  // The first frame of several. Paper is white.
  return sharp(bytes, options)
    .autoOrient()
    .resize({ width: MOST_WIDTH, height: MOST_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .withDensity(Math.max(1, Math.round(density * ratio)))
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
