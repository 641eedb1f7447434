import { hasFontsFor } from '../pdf/fonts.ts';

/** The texts of a card. */
export interface Card {
  readonly title: string;
  readonly description: string;
  readonly siteTitle: string;
  /** `#rrggbb`. */
  readonly colour: string;
  readonly theme: 'light' | 'dark';
}

export interface LegibleCard extends Card {
  readonly isRightToLeft: boolean;
}

const MAX_TITLE = 110;
const MAX_DESCRIPTION = 130;
const MAX_SITE_TITLE = 60;

/** The first letter has a script that is written from right to left. */
const RIGHT_TO_LEFT = /^\P{L}*[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;

/** The texts of a card, cut to their place. Those for which no font is installed are left out: they would be boxes. */
export async function legibleParts(card: Card): Promise<LegibleCard> {
  const legible = async (text: string, length: number) => {
    const short = cut(plain(text), length);
    return (await hasFontsFor(short)) ? short : '';
  };
  const title = await legible(card.title, MAX_TITLE);
  return {
    ...card,
    title,
    description: await legible(card.description, MAX_DESCRIPTION),
    siteTitle: await legible(card.siteTitle, MAX_SITE_TITLE),
    isRightToLeft: RIGHT_TO_LEFT.test(title || card.siteTitle),
  };
}

/** Removes emoji, which need a font of their own, and characters that change the direction of others. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(
      /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f|\u20e3)\u200d?/gu,
      '',
    )
    .replaceAll(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Shortens a text to a length, ending between words if possible. */
function cut(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const part = characters.slice(0, length - 1).join('');
  const end = part.lastIndexOf(' ');
  return `${(end > length / 2 ? part.slice(0, end) : part).trimEnd()}…`;
}
