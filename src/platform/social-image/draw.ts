import type { OverlayOptions } from 'sharp';
import { fontFile, TEXT_FAMILY } from '../pdf/fonts.ts';
import { legibleParts, type Card, type LegibleCard } from './legible-parts.ts';

export const WIDTH = 1200;
export const HEIGHT = 630;
const MARGIN = 80;
const TEXT_WIDTH = WIDTH - 2 * MARGIN;

const THEMES = {
  light: { paper: '#ffffff', ink: '#16191d', faint: '#555d66' },
  dark: { paper: '#14171b', ink: '#f5f6f7', faint: '#b3bac2' },
} as const;

interface Line {
  readonly text: string;
  readonly size: number;
  readonly weight: 'regular' | 'semibold';
  readonly colour: string;
  readonly top: number;
  readonly left?: number;
  readonly maxHeight: number;
}

/** A card with the title of a page, as a PNG, for links to it elsewhere. */
export async function drawCard(card: Card): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { ink, faint } = THEMES[card.theme];
  const legible = await legibleParts(card);
  const layers: OverlayOptions[] = [];
  for (const line of linesOf(legible, ink, faint)) layers.push(await layerOf(line, legible.isRightToLeft));
  return sharp(Buffer.from(background(legible)))
    .composite(layers)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();

  async function layerOf(line: Line, isRightToLeft: boolean): Promise<OverlayOptions> {
    const { text, size, weight, colour, top, left = MARGIN, maxHeight } = line;
    const { data, info } = await sharp({
      text: {
        text: `<span foreground="${colour}">${escaped(text)}</span>`,
        fontfile: fontFile(weight),
        font: `${TEXT_FAMILY} ${weight === 'semibold' ? 'Semi-Bold ' : ''}${size}`,
        width: TEXT_WIDTH - (left - MARGIN),
        align: isRightToLeft ? 'right' : 'left',
        wrap: 'word-char',
        dpi: 72,
        rgba: true,
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true });
    const height = Math.min(info.height, maxHeight);
    const input =
      height === info.height
        ? data
        : await sharp(data).extract({ left: 0, top: 0, width: info.width, height }).png().toBuffer();
    return { input, top, left: isRightToLeft ? WIDTH - left - info.width : left };
  }
}

function linesOf({ siteTitle, title, description }: LegibleCard, ink: string, faint: string): Line[] {
  const lines: Line[] = [];
  if (siteTitle) {
    const place = { top: 86, left: title ? MARGIN + 72 : MARGIN, maxHeight: 48 };
    lines.push({ text: siteTitle, size: 34, weight: 'semibold', colour: ink, ...place });
  }
  if (!title) return lines;
  const size = title.length <= 28 ? 88 : title.length <= 60 ? 68 : 54;
  lines.push({ text: title, size, weight: 'semibold', colour: ink, top: 200, maxHeight: 220 });
  if (description)
    lines.push({ text: description, size: 34, weight: 'regular', colour: faint, top: 452, maxHeight: 92 });
  return lines;
}

/** Shapes only: text in SVG would need installed fonts. */
function background({ theme, colour, isRightToLeft, title }: LegibleCard): string {
  const { paper } = THEMES[theme];
  // If there is no title, the picture is the mark.
  const scale = title ? 2.2 : 12;
  const size = 24 * scale;
  const left = title ? (isRightToLeft ? WIDTH - MARGIN - size : MARGIN) : (WIDTH - size) / 2;
  const top = title ? 80 : (HEIGHT - size) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${paper}"/>
<rect y="${HEIGHT - 16}" width="${WIDTH}" height="16" fill="${colour}"/>
<g transform="translate(${left} ${top}) scale(${scale})" fill="${colour}">
<path d="M22.5 16.4L16.4 22.5L14 16.8L16.8 14zM7.6 22.5L1.5 16.4L7.2 14L10 16.8zM1.5 7.6L7.6 1.5L10 7.2L7.2 10zM16.4 1.5L22.5 7.6L16.8 10L14 7.2z"/>
<path opacity=".5" d="M16.4 22.5L7.6 22.5L10 16.8L14 16.8zM1.5 16.4L1.5 7.6L7.2 10L7.2 14zM7.6 1.5L16.4 1.5L14 7.2L10 7.2zM22.5 7.6L22.5 16.4L16.8 14L16.8 10z"/>
</g></svg>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
