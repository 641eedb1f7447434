import sharp from 'sharp';

/** 160 by 170 mm, the maximum size of an image on paper, at 200 dpi. */
const MAX_WIDTH = 1260;
const MAX_HEIGHT = 1340;
/** Decompression bombs: a few bytes can declare a huge image. */
const MAX_PIXELS = 100_000_000;
/** Smaller images stay unchanged, so that icons and logos preserve their transparency. */
const SMALL_IMAGE_PIXELS = 250_000;
/** Larger SVG files are rasterized. */
const MAX_VECTOR_SVG = 512 * 1024;
const QUALITY = 85;
/** Pixels per inch of an image that does not declare them; determines its size on paper. */
const DEFAULT_DENSITY = 72;

// One libuv thread per image. No cache: an image is never requested twice.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Scales an image to print resolution, with the same size on paper: the compiler decodes every pixel, and its memory is
 * the scarcest resource. Undefined if the bytes are no image or have too many pixels.
 */
export async function imageForPrint(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await scale(bytes);
  } catch {
    return undefined;
  }
}

async function scale(bytes: Uint8Array): Promise<Uint8Array> {
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
  const { format, autoOrient, density = DEFAULT_DENSITY } = await sharp(bytes, options).metadata();
  const { width, height } = autoOrient;
  if (format === 'svg' && bytes.length <= MAX_VECTOR_SVG) return bytes;
  const ratio = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  const isSuitable =
    ratio === 1 && (format === 'jpeg' || (format === 'png' && width * height <= SMALL_IMAGE_PIXELS));
  if (isSuitable) return bytes;
  // Only the first frame of an animation; on white, the color of paper.
  return sharp(bytes, options)
    .autoOrient()
    .resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .withDensity(Math.max(1, Math.round(density * ratio)))
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
