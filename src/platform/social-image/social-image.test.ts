import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawCard, HEIGHT, WIDTH } from './draw.ts';
import { legibleParts, type Card } from './legible-parts.ts';

const card: Card = {
  title: 'Install the server',
  description: 'What you need, and how long it takes',
  siteTitle: 'Handbook',
  colour: '#3355cc',
  theme: 'light',
};

/** How many pixels of a part of the image are not of the paper. */
async function inkIn(png: Buffer, left: number, top: number, width: number, height: number): Promise<number> {
  const { data, info } = await sharp(png)
    .extract({ left, top, width, height })
    .removeAlpha()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let dark = 0;
  for (let at = 0; at < data.length; at += info.channels) if ((data[at] ?? 255) < 160) dark++;
  return dark;
}

describe('a card', () => {
  test('has its size, its texts and the colour of the site', async () => {
    const png = await drawCard(card);
    const { format, width, height } = await sharp(png).metadata();
    expect([format, width, height]).toEqual(['png', WIDTH, HEIGHT]);
    expect(await inkIn(png, 80, 200, 1000, 120)).toBeGreaterThan(3000);
    expect(await inkIn(png, 80, 440, 1000, 100)).toBeGreaterThan(500);
    const bar = await sharp(png)
      .extract({ left: 600, top: 625, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer();
    expect([...bar]).toEqual([0x33, 0x55, 0xcc]);
    expect((await drawCard({ ...card, title: 'Other' })).equals(png)).toBe(false);
  });

  test('is drawn from any text', async () => {
    const titles = [
      '',
      ' ',
      '<b>&amp;</b>',
      'x'.repeat(3000),
      'a '.repeat(500),
      '\u0000\u0001',
      '\ud800',
      '🎉🎉',
      '%d%s',
      '&#0;',
    ];
    for (const title of titles) {
      const png = await drawCard({ ...card, title, description: title, siteTitle: title });
      const { width, height } = await sharp(png).metadata();
      expect([width, height], title.slice(0, 10)).toEqual([WIDTH, HEIGHT]);
    }
  });

  test('keeps its text inside of its margins', async () => {
    const png = await drawCard({ ...card, title: 'W'.repeat(200), description: 'W'.repeat(400) });
    expect(await inkIn(png, 0, 0, 70, 600)).toBe(0);
    expect(await inkIn(png, 1130, 0, 70, 600)).toBe(0);
    expect(await inkIn(png, 0, 560, WIDTH, 40)).toBe(0);
  });
});

describe('texts of a card', () => {
  test('are cut between words, without emoji and control characters', async () => {
    const { title, description } = await legibleParts({
      ...card,
      title: '🚀 Getting\u202e started\n',
      description: 'word '.repeat(60),
    });
    expect(title).toBe('Getting started');
    expect(description).toMatch(/^(word )+word…$/);
    expect(description.length).toBeLessThanOrEqual(130);
  });

  test('are left out if no font has their letters', async () => {
    // No font that could be installed has these: Vai, Cherokee.
    for (const title of ['ꕙꔤ', 'ᏣᎳᎩ']) expect((await legibleParts({ ...card, title })).title).toBe('');
    const latin = 'Grüße, Ελλάδα, Привет, Đà Nẵng — 100 % “ok”';
    expect((await legibleParts({ ...card, title: latin })).title).toBe(latin);
  });

  test('begin at the right where the title does', async () => {
    expect((await legibleParts({ ...card, title: '', siteTitle: 'דוגמה' })).isRightToLeft).toBe(true);
    expect((await legibleParts(card)).isRightToLeft).toBe(false);
  });
});
