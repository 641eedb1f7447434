import { fold, isAscii } from './fold.ts';
import { isPartStart } from './identifier-parts.ts';
import type { Term } from './query.ts';
import { eachWord, isMarked } from './tokenizer.ts';

/** Where in a text which of the terms stands. */
export interface Place {
  readonly at: number;
  readonly term: number;
}

const BEFORE = 60;
const LENGTH = 240;
/** So many places of a term are looked at; where it is the only one, the first is as good as any. */
const MOST_PLACES = 8;
const MOST_COMPARED = 100;

/** Of a composed text. */
export function placesOf(text: string, terms: readonly Term[]): Place[] {
  const plain = isAscii(text);
  if (!plain && isMarked(text)) return placesByWord(text, terms);
  const folded = plain ? text.toLowerCase() : fold(text);
  const places: Place[] = [];
  terms.forEach((term, index) => {
    for (const at of placesOfTerm(text, folded, term, terms.length > 1 ? MOST_PLACES : 1))
      places.push({ at, term: index });
  });
  return places;
}

export const termsAt = (places: readonly Place[]): number =>
  places.length < 2 ? places.length : new Set(places.map(({ term }) => term)).size;

const IN_WORD = /[\p{L}\p{N}\p{M}]/u;

function isInWord(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at);
  if (code < 0x80) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return IN_WORD.test(folded[at] ?? '');
}

/** Whether a word, or a part of an identifier, can begin or end here. */
const isEdge = (text: string, folded: string, at: number): boolean =>
  !isInWord(folded, at - 1) || !isInWord(folded, at) || isPartStart(text, at);

function placesOfTerm(
  text: string,
  folded: string,
  { word, instead, isPrefix, isInside }: Term,
  most: number,
): number[] {
  const places: number[] = [];
  for (const form of [word, ...instead]) {
    const mayGoOn = isInside || (isPrefix && form === word);
    for (let at = folded.indexOf(form); at >= 0 && places.length < most;) {
      const begins = isInside || isEdge(text, folded, at);
      const ends = mayGoOn || isEdge(text, folded, at + form.length);
      if (begins && ends) places.push(at);
      at = folded.indexOf(form, at + form.length);
    }
  }
  return places;
}

/** The slow way, for texts in which words are not written as they are looked up. */
function placesByWord(text: string, terms: readonly Term[]): Place[] {
  const places: Place[] = [];
  eachWord(text, (word, _kind, end) => {
    terms.forEach((term, index) => {
      const isMeant = term.isPrefix ? word.startsWith(term.word) : word === term.word;
      if (isMeant || term.instead.includes(word))
        places.push({ at: Math.max(0, end - word.length), term: index });
    });
  });
  return places;
}

const NOT_ONE_SPACE = /\s{2,}|[^\S ]/g;

/** The part of a text where most of the terms stand, as one line without mark-up; its beginning if none does. */
export function excerptOf(text: string, places: readonly Place[]): string {
  const at = bestOf(places);
  let start = Math.max(0, at - BEFORE);
  if (start > 0) start = afterSpace(text, start, at);
  let end = Math.min(text.length, start + LENGTH);
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end);
    end = space > start + LENGTH / 2 ? space : end - (isSecondHalf(text, end) ? 1 : 0);
  }
  const shown = text.slice(start, end).replaceAll(NOT_ONE_SPACE, ' ').trim();
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
}

/** The first place from which on most terms are near. */
function bestOf(places: readonly Place[]): number {
  const inOrder = places.toSorted((a, b) => a.at - b.at).slice(0, MOST_COMPARED);
  let best = { at: 0, terms: 0 };
  inOrder.forEach(({ at }, from) => {
    const near = inOrder.slice(from).filter((other) => other.at < at + LENGTH - BEFORE);
    const terms = termsAt(near);
    if (terms > best.terms) best = { at, terms };
  });
  return best.at;
}

/** Between words where there are spaces, never through a character. */
function afterSpace(text: string, start: number, before: number): number {
  const space = text.indexOf(' ', start);
  if (space >= 0 && space < before) return space + 1;
  return start + (isSecondHalf(text, start) ? 1 : 0);
}

const isSecondHalf = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};
