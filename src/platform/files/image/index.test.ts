import { describe, expect, it } from 'vitest';
import { dimensionsOf } from './index.ts';

const base64 = (text: string) => Buffer.from(text, 'base64');
const PNG = base64(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAADUVFKvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPg5GBHRgwE+AAiDgFp5shY3AAAAABJRU5ErkJggg==',
);
const GIF = base64('R0lGODlhBQADAIAAAExpcQkIByH5BAUAAAAALAAAAAAFAAMAAAIDjI9ZADs=');
const JPEG = base64(
  '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAADAAUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJgA/9k=',
);
const WEBP = base64('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoFAAMADMDOJaQAA3AA/uvUgAA=');
const WEBP_LOSSLESS = base64('UklGRh4AAABXRUJQVlA4TBEAAAAvBIAAAAdQhCb0oP+BiOh/AAA=');
const WEBP_EXTENDED = base64(
  'UklGRkgAAABXRUJQVlA4WAoAAAAQAAAABAAAAgAAQUxQSAoAAAABB1DAiAhERP8DVlA4IBgAAAAwAQCdASoFAAMADMDOJaQAA3AA/uvUgAA=',
);
const AVIF = base64(
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAACAAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAADIAAAAeAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAobWRhdBIACgk4FTHrSAhoNIAyER/yYoTgABYAAKxDfGGl+8FA',
);

const bytes = (...values: number[]) => Buffer.from(values);
const u32 = (value: number) => bytes(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};
const size = (width: number, height: number) => box('ispe', u32(0), u32(width), u32(height));

/** Item 1 is a thumbnail; item 2, the primary one, is turned by a quarter. */
const AVIF_TURNED = Buffer.concat([
  box('ftyp', Buffer.from('avif\0\0\0\0mif1avif')),
  box(
    'meta',
    u32(0),
    box('pitm', u32(0), bytes(0, 2)),
    box(
      'iprp',
      box('ipco', size(16, 9), size(160, 90), box('irot', bytes(1))),
      box('ipma', u32(0), u32(2), bytes(0, 1, 1, 0x81), bytes(0, 2, 2, 0x82, 3)),
    ),
  ),
]);

/** A segment that says how the camera was held. */
function turned(orientation: number, isLittle: boolean): Buffer {
  const tiff = isLittle
    ? bytes(0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0)
    : bytes(0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0);
  const segment = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  return Buffer.concat([
    JPEG.subarray(0, 2),
    bytes(0xff, 0xe1, 0, segment.length + 2),
    segment,
    JPEG.subarray(2),
  ]);
}

const ICON = Buffer.concat([
  bytes(0, 0, 1, 0, 2, 0),
  bytes(16, 16, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 38, 0, 0, 0),
  bytes(0, 0, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 38, 0, 0, 0),
]);

describe('dimensionsOf', () => {
  it.each([
    ['png', PNG, 5, 3],
    ['gif', GIF, 5, 3],
    ['jpeg', JPEG, 5, 3],
    ['a jpeg upright', turned(1, true), 5, 3],
    ['a jpeg on its side', turned(6, true), 3, 5],
    ['a jpeg on its other side', turned(8, false), 3, 5],
    ['webp', WEBP, 5, 3],
    ['webp without loss', WEBP_LOSSLESS, 5, 3],
    ['webp with transparency', WEBP_EXTENDED, 5, 3],
    ['avif', AVIF, 50, 30],
    ['an avif with a thumbnail, turned', AVIF_TURNED, 90, 160],
    ['ico', ICON, 256, 256],
  ])('of %s', (_what, image, width, height) => {
    expect(dimensionsOf(image)).toEqual({ width, height });
    expect(dimensionsOf(Buffer.concat([Buffer.from('junk'), image]).subarray(4))).toEqual({ width, height });
  });

  it.each([
    ['<svg width="10" height="20"/>', 10, 20],
    ["<svg xmlns='http://www.w3.org/2000/svg' height='20px' width='10.4px'>", 10, 20],
    [
      '<?xml version="1.0"?><!-- <svg width="1"> --><!DOCTYPE svg [<!ENTITY a "<svg>">]><svg viewBox="0 0 30 40">',
      30,
      40,
    ],
    ['<svg width="100%" height="100%" viewBox="0,0,30.2,40">', 30, 40],
    ['<svg width="60" viewBox="0 0 30 40">', 60, 80],
    ['<svg height="80" viewBox="0 0 30 40">', 60, 80],
    ['<svg width="1in" height="72pt">', 96, 96],
    ['<svg:svg xmlns:svg="x" width="5" height="6">', 5, 6],
    ['<svg data-width="9" stroke-width="1" width="5" height="6" title=">"><rect width="100"/>', 5, 6],
  ])('of %s', (text, width, height) => {
    expect(dimensionsOf(Buffer.from(text))).toEqual({ width, height });
  });

  it.each([
    '',
    '<svg>',
    '<svg width="10">',
    '<svg width="0" height="0">',
    '<svg width="-1" height="5">',
    '<svg width="99999999999" height="1">',
    '<svg width="1e999" height="1" viewBox="0 0 NaN 1">',
    '<svg viewBox="0 0 0 0">',
    '<html><svg width="1" height="1">',
    'plain',
    '%PDF-1.7',
  ])('of %j there are none', (text) => expect(dimensionsOf(Buffer.from(text))).toBeUndefined());

  it('never throws and never hangs, however an image is damaged', () => {
    for (const image of [PNG, GIF, JPEG, turned(6, true), WEBP, WEBP_EXTENDED, AVIF, AVIF_TURNED, ICON]) {
      for (let length = 0; length < image.length; length++)
        expect(() => dimensionsOf(image.subarray(0, length))).not.toThrow();
      for (let at = 8; at < image.length; at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const damaged = Buffer.from(image);
          damaged[at] = value;
          dimensionsOf(damaged);
        }
      }
    }
  });

  it('passes over endless segments, boxes and attributes', () => {
    const hostile = [
      Buffer.concat([JPEG.subarray(0, 2), Buffer.alloc(5_000_000, 0xff)]),
      Buffer.concat([JPEG.subarray(0, 2), ...Array.from({ length: 200_000 }, () => bytes(0xff, 0xe1, 0, 2))]),
      Buffer.concat([AVIF.subarray(0, 28), ...Array.from({ length: 50_000 }, () => box('free'))]),
      Buffer.concat([AVIF.subarray(0, 28), Buffer.alloc(5_000_000)]),
      Buffer.from(`<svg ${'a="b" '.repeat(500_000)}`),
      Buffer.from(`<svg ${'a'.repeat(3_000_000)}`),
      Buffer.from('<!--'.repeat(1_000_000)),
      Buffer.from('<!doctype>'.repeat(500_000)),
      Buffer.from('<?'.repeat(1_000_000)),
      Buffer.from(' '.repeat(5_000_000)),
    ];
    for (const image of hostile) expect(dimensionsOf(image)).toBeUndefined();
  });
});
