import { fold, isAscii } from './words/fold.ts';
import { isPartStart } from './words/identifier-parts.ts';
import type { Term } from './words/query.ts';
import { eachWord, isMarked } from './words/tokenizer.ts';

/** An occurrence of a term in a text. */
export interface Occurrence {
  readonly at: number;
  readonly term: number;
}

const BEFORE = 60;
const LENGTH = 240;
/** Occurrences per term of a query with several terms. For a single term, the first is enough. */
const MAX_OCCURRENCES = 8;
const MAX_COMPARED = 100;

/** The occurrences of the terms in a composed text. */
export function occurrencesOf(text: string, terms: readonly Term[]): Occurrence[] {
  const isPlain = isAscii(text);
  const limit = terms.length > 1 ? MAX_OCCURRENCES : 1;
  if (!isPlain && isMarked(text)) return occurrencesByWord(text, terms, limit);
  const folded = isPlain ? text.toLowerCase() : fold(text);
  const occurrences: Occurrence[] = [];
  terms.forEach((term, index) => {
    for (const at of offsetsOfTerm(text, folded, term, limit)) occurrences.push({ at, term: index });
  });
  return occurrences;
}

export const countTerms = (occurrences: readonly Occurrence[]): number =>
  occurrences.length < 2 ? occurrences.length : new Set(occurrences.map(({ term }) => term)).size;

const IN_WORD = /[\p{L}\p{N}\p{M}]/u;

function isInWord(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at);
  if (code < 0x80) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return IN_WORD.test(folded[at] ?? '');
}

/** Whether a word or a part of an identifier can begin or end here. */
const isBoundary = (text: string, folded: string, at: number): boolean =>
  !isInWord(folded, at - 1) || !isInWord(folded, at) || isPartStart(text, at);

function offsetsOfTerm(
  text: string,
  folded: string,
  { word, alternatives, isPrefix, isSubstring }: Term,
  limit: number,
): number[] {
  const offsets: number[] = [];
  for (const form of [word, ...alternatives]) {
    const isOpenEnded = isSubstring || (isPrefix && form === word);
    for (let at = folded.indexOf(form); at >= 0 && offsets.length < limit;) {
      const isStart = isSubstring || isBoundary(text, folded, at);
      const isEnd = isOpenEnded || isBoundary(text, folded, at + form.length);
      if (isStart && isEnd) offsets.push(at);
      at = folded.indexOf(form, at + form.length);
    }
  }
  return offsets;
}

/** Slow path, for texts whose words differ from their index form. */
function occurrencesByWord(text: string, terms: readonly Term[], limit: number): Occurrence[] {
  const occurrences: Occurrence[] = [];
  const counts = terms.map(() => 0);
  eachWord(text, (word, _kind, end) => {
    terms.forEach((term, index) => {
      const count = counts[index] ?? 0;
      if (count === limit) return;
      const isMatch = term.isPrefix ? word.startsWith(term.word) : word === term.word;
      if (!isMatch && !term.alternatives.includes(word)) return;
      occurrences.push({ at: Math.max(0, end - word.length), term: index });
      counts[index] = count + 1;
    });
  });
  return occurrences;
}

const NOT_ONE_SPACE = /\s{2,}|[^\S ]/g;

/** The part of a text with most of the terms, as one line; its beginning if there is none. */
export function excerptOf(text: string, occurrences: readonly Occurrence[]): string {
  const at = bestStart(occurrences);
  let start = Math.max(0, at - BEFORE);
  if (start > 0) start = wordStart(text, start, at);
  let end = Math.min(text.length, start + LENGTH);
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end);
    end = space > start + LENGTH / 2 ? space : end - (isLowSurrogate(text, end) ? 1 : 0);
  }
  const shown = text.slice(start, end).replaceAll(NOT_ONE_SPACE, ' ').trim();
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
}

/** The first offset with the most distinct terms in the excerpt that starts there. */
function bestStart(occurrences: readonly Occurrence[]): number {
  const inOrder = occurrences.toSorted((a, b) => a.at - b.at).slice(0, MAX_COMPARED);
  let best = { at: 0, terms: 0 };
  inOrder.forEach(({ at }, from) => {
    const near = inOrder.slice(from).filter((other) => other.at < at + LENGTH - BEFORE);
    const terms = countTerms(near);
    if (terms > best.terms) best = { at, terms };
  });
  return best.at;
}

/** A start between words if there are spaces, never inside a character. */
function wordStart(text: string, start: number, before: number): number {
  const space = text.indexOf(' ', start);
  if (space >= 0 && space < before) return space + 1;
  return start + (isLowSurrogate(text, start) ? 1 : 0);
}

const isLowSurrogate = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};
