import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { no } from './no.ts';
import { ptBr } from './pt-br.ts';
import { ru } from './ru.ts';
import { zh } from './zh.ts';
import type { Words } from './words.ts';

export { fill, type Words } from './words.ts';

/** Words by the locale of the customization. */
export const LOCALES: Readonly<Record<string, Words>> = {
  en,
  fr,
  es,
  zh,
  ja,
  de,
  nl,
  no,
  'pt-br': ptBr,
  ru,
};

export const wordsOf = (locale: string): Words => (Object.hasOwn(LOCALES, locale) && LOCALES[locale]) || en;

const RTL = /^(ar|arc|ckb|dv|fa|he|iw|ku|ps|sd|ug|ur|yi)(-|$)/i;

/** The direction of a language, given as a BCP 47 tag. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (RTL.test(language) ? 'rtl' : 'ltr');

const formats = new Map<string, Intl.DateTimeFormat>();

/** An instant as a date in UTC, so that the page is the same for every reader and can be cached. */
export function dateText(iso: string, locale: string): string {
  let format = formats.get(locale);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    formats.set(locale, format);
  }
  return format.format(new Date(iso));
}

export const numberText = (value: number, locale: string): string => value.toLocaleString(locale);
