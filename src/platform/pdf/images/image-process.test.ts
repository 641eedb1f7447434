import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createImageProcess } from './image-process.ts';

const screenshot = () =>
  sharp({ create: { width: 2880, height: 1800, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();

it('scales images outside of this process', async () => {
  const images = createImageProcess();
  const [scaled, none] = await Promise.all([
    images.scale(await screenshot()),
    images.scale(Buffer.from('no image')),
  ]);
  expect(await sharp(scaled).metadata()).toMatchObject({ format: 'jpeg', width: 1260 });
  expect(none).toBeUndefined();
  images.close();
});

it('answers what is pending when it is closed, and starts again when it is needed', async () => {
  const images = createImageProcess();
  const pending = images.scale(await screenshot());
  images.close();
  expect(await pending).toBeUndefined();
  expect(await images.scale(await screenshot())).toBeDefined();
  images.close();
});
