import { normalize } from '../../normalize.ts';
import { freeNumber } from './free-number.ts';
import { foldSlug } from '../tree.ts';

export const MAX_SLUG = 100;

/** Paths that a published site serves itself, at the root of a space. */
const RESERVED = new Set(['robots.txt', 'sitemap.xml', 'llms.txt', 'llms-full.txt']);

/** Letters that no decomposition turns into ASCII. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};

/** Control, invisible and bidirectional characters: slugs that look alike must be equal. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');

/** A slug for a title: Latin letters become ASCII, other scripts are unchanged. May be empty. */
export const slugOf = (title: string): string =>
  tidy(fold(title.replace(/['’]/gu, '')).replace(/[^\p{L}\p{N}\p{M}]+/gu, '-'));

/** Normalises a requested slug: as `slugOf`, but dots and underscores inside are allowed. Undefined: it is invalid. */
export function chosenSlug(wanted: string): string | undefined {
  if (INVISIBLE.test(wanted) || wanted.includes('/')) return undefined;
  return tidy(fold(wanted).replace(/[^\p{L}\p{N}\p{M}._]+/gu, '-'));
}

function fold(text: string): string {
  const lower = normalize(text, 'NFKC').replace(ALL_INVISIBLE, '').toLowerCase();
  const unmarked = normalize(lower, 'NFD').replace(/(\p{Script=Latin})\p{M}+/gu, '$1');
  return normalize(unmarked).replace(/[ßæœøđðłþħıŋŧ]/gu, (letter) => FOLDED[letter] ?? letter);
}

const tidy = (text: string): string => cut(text.replace(/^[-._]+/u, ''), MAX_SLUG);

/** Cuts between characters, and removes trailing dashes, dots and underscores. */
function cut(text: string, length: number): string {
  let end = Math.min(text.length, length);
  const isInside = end < text.length && /[\udc00-\udfff]/u.test(text.charAt(end));
  if (isInside) end--;
  return text.slice(0, end).replace(/(?<![-._])[-._]+$/u, '');
}

/** The slug, or the slug with the first free suffix of -1, -2… `isTaken` gets the folded form. */
export function uniqueSlug(
  wanted: string,
  isTaken: (folded: string) => boolean,
  { isAtRoot = false }: { readonly isAtRoot?: boolean } = {},
): string {
  const base = wanted === '' ? 'page' : wanted;
  const isFree = (slug: string) => !isTaken(foldSlug(slug)) && !(isAtRoot && RESERVED.has(foldSlug(slug)));
  if (isFree(base)) return base;
  const numbered = (number: number) => `${cut(base, MAX_SLUG - String(number).length - 1)}-${number}`;
  return numbered(freeNumber((number) => isFree(numbered(number))));
}

export const MAX_TITLE = 1024;

/** A title as one line without control and bidirectional characters. Undefined: no visible character is left. */
export function cleanTitle(title: string): string | undefined {
  const line = title
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu, '')
    .trim();
  const visible = line.replace(ALL_INVISIBLE, '').replace(/\p{Z}+/gu, '');
  return visible === '' || line.length > MAX_TITLE ? undefined : line;
}

/** Whether a text is a valid file name: no path, and no invisible characters. */
export const isFileName = (name: string): boolean =>
  name !== '' &&
  name.length <= 256 &&
  !INVISIBLE.test(name) &&
  !/[/\\]/.test(name) &&
  !/^\.{1,2}$/.test(name);
