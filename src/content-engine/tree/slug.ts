import { foldSlug } from './tree.ts';

export const MAX_SLUG = 100;

/** What a published site answers itself, at the root of a space. */
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

/** Controls, and what is invisible or turns the direction of text: two slugs that look alike must not differ by it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');

/** A slug for a title: ASCII where Latin letters can be, other scripts as they are. May be empty. */
export const slugOf = (title: string): string =>
  tidy(fold(title.replace(/['’]/gu, '')).replace(/[^\p{L}\p{N}\p{M}]+/gu, '-'));

/** A slug that someone chose: as `slugOf`, but dots and underscores inside stay. Undefined: it holds what no slug may. */
export function chosenSlug(wanted: string): string | undefined {
  if (INVISIBLE.test(wanted) || wanted.includes('/')) return undefined;
  return tidy(fold(wanted).replace(/[^\p{L}\p{N}\p{M}._]+/gu, '-'));
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(ALL_INVISIBLE, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[ßæœøđðłþħıŋŧ]/gu, (letter) => FOLDED[letter] ?? letter);
}

const tidy = (text: string): string => cut(text.replace(/^[-._]+/u, ''), MAX_SLUG);

/** Whole characters only, and no dash, dot or underscore at the end. */
function cut(text: string, length: number): string {
  let end = Math.min(text.length, length);
  const isInside = end < text.length && /[\udc00-\udfff]/u.test(text.charAt(end));
  if (isInside) end--;
  return text.slice(0, end).replace(/[-._]+$/u, '');
}

/**
 * The slug, or the slug with the first free of -1, -2… behind it. `isTaken` is asked with the folded form. Nothing that
 * exists is changed: the newcomer gives way.
 */
export function uniqueSlug(
  wanted: string,
  isTaken: (folded: string) => boolean,
  { isAtRoot = false }: { readonly isAtRoot?: boolean } = {},
): string {
  const base = wanted === '' ? 'page' : wanted;
  const isFree = (slug: string) => !isTaken(foldSlug(slug)) && !(isAtRoot && RESERVED.has(foldSlug(slug)));
  if (isFree(base)) return base;
  const numbered = (number: number) => `${cut(base, MAX_SLUG - String(number).length - 1)}-${number}`;
  let high = 1;
  while (high < 16 && !isFree(numbered(high))) high++;
  if (high < 16) return numbered(high);
  // Thousands of pages may share a title: look for the end of the row by doubling, then halving.
  while (!isFree(numbered(high))) high *= 2;
  let low = high / 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isFree(numbered(middle))) high = middle;
    else low = middle;
  }
  return numbered(high);
}

export const MAX_TITLE = 1024;

/** A title as one line without controls and without what turns text around. Undefined: nothing visible is left. */
export function cleanTitle(title: string): string | undefined {
  const line = title
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu, '')
    .trim();
  const visible = line.replace(ALL_INVISIBLE, '').replace(/\p{Z}+/gu, '');
  return visible === '' || line.length > MAX_TITLE ? undefined : line;
}

/** Whether a file may be called so: it names no folder, and shows all of itself. */
export const isFileName = (name: string): boolean =>
  name !== '' &&
  name.length <= 256 &&
  !INVISIBLE.test(name) &&
  !/[/\\]/.test(name) &&
  !/^\.{1,2}$/.test(name);
