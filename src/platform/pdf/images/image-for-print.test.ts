import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageForPrint } from './image-for-print.ts';

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } });

async function printed(bytes: Uint8Array) {
  const result = await imageForPrint(bytes);
  return result && { ...(await sharp(result).metadata()), bytes: result };
}

describe('an image for print', () => {
  it('has no more pixels than paper shows, and the same size on it', async () => {
    const large = await printed(await plain(2880, 1800).withMetadata({ density: 144 }).png().toBuffer());
    expect(large).toMatchObject({ format: 'jpeg', width: 1260, height: 788 });
    expect(large?.density).toBe(Math.round((144 * 1260) / 2880));
    const tall = await printed(await plain(1000, 4000).jpeg().toBuffer());
    expect(tall).toMatchObject({ format: 'jpeg', width: 335, height: 1340 });
  });

  it('is left as it is where it is small, and drawings are', async () => {
    const icon = await plain(64, 64, 4).png().toBuffer();
    expect(await imageForPrint(icon)).toBe(icon);
    const photo = await plain(1200, 900).jpeg().toBuffer();
    expect(await imageForPrint(photo)).toBe(photo);
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9"><path d="M0 0"/></svg>',
    );
    expect(await imageForPrint(svg)).toBe(svg);
  });

  it('is the first frame of an animation, upright, on white', async () => {
    const frames = await sharp(await plain(40, 80).raw().toBuffer(), {
      raw: { width: 40, height: 80, channels: 3 },
    })
      .gif()
      .toBuffer();
    expect(await printed(frames)).toMatchObject({ format: 'jpeg', width: 40, height: 80 });
    const turned = await plain(2000, 1000).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await printed(turned)).toMatchObject({ width: 670, height: 1340 });
    const sheer = await printed(
      await sharp({
        create: { width: 900, height: 900, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
      })
        .png()
        .toBuffer(),
    );
    const [red = 0] = await sharp(sheer?.bytes).raw().toBuffer();
    expect(red).toBeGreaterThan(250);
  });

  it('is none where the bytes are no image, or say that they have too many pixels', async () => {
    expect(await imageForPrint(Buffer.from('no image'))).toBeUndefined();
    const huge = await plain(20_000, 8000).png({ compressionLevel: 9 }).toBuffer();
    expect(huge.length).toBeLessThan(1_000_000);
    expect(await imageForPrint(huge)).toBeUndefined();
  });
});
