import {
  bodyRange,
  DESCRIPTION_RANGE,
  endOfNumber,
  headingRange,
  LABEL_RANGE,
  numberIn,
  storedPositions,
  TITLE_RANGE,
  type Range,
} from './positions.ts';
import { MAX_TERMS } from '../words/query.ts';
import { eachWord } from '../words/tokenizer.ts';

/**
 * An immutable index segment: the words of some pages with their posting lists. Deleted pages are dropped when
 * segments are merged. Besides words it has parts of identifiers (`partKey`) and whole titles (`titleKey`).
 */
export type Segment = Map<string, Postings>;

/**
 * A posting list: for every page with the word its number, frequency and best field (`count * FIELDS + field`), and
 * its positions, separated by commas. Text is the fastest form to store, join and parse.
 */
export type Postings = string;

/** The texts of a page, each from `composed`. */
export interface PageText {
  readonly title: string;
  /** The title in navigation if different, else empty. */
  readonly label: string;
  readonly description: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

/** Fields of a page, in order of weight. */
export const BODY = 0;
export const HEADING = 1;
export const TITLE = 2;

const FIELDS = 3;

/** The key of a part of an identifier. It sorts directly after the word itself, before every longer word. */
export const partKey = (word: string): string => `${word}-`;
/** Sorts after `partKey` and before every longer word. */
export const afterPartKey = (word: string): string => `${word}.`;

const MAX_TITLE_KEY = 200;

/** One key for all words of a title: a query with the same words is the exact title. Undefined: too long. */
export function titleKey(title: string): string | undefined {
  const words: string[] = [];
  eachWord(title, (word, kind) => {
    if (kind !== 'part' && kind !== 'tail') words.push(word);
  });
  const key = `=${words.join('=')}`;
  return words.length > 0 && words.length <= MAX_TERMS && key.length <= MAX_TITLE_KEY ? key : undefined;
}

export interface NumberedPage {
  readonly number: number;
  readonly text: PageText;
}

/** The posting list of a word while a segment is built. */
interface PostingList {
  readonly postings: number[];
  /** Start of the postings of the current page. */
  at: number;
  /** The last position on the current page. */
  last: number;
}

/** Distinct words per page: 2 MB of prose in any language have fewer. */
const MAX_WORDS = 200_000;

export function segmentOf(pages: readonly NumberedPage[]): Segment {
  const words = new Map<string, PostingList>();
  for (const { number, text } of pages) {
    let room = MAX_WORDS;
    const use = (key: string, field: number, position: number) => {
      if (addUse(words, number, key, field, position, room > 0)) room--;
    };
    const read = (part: string, field: number, { start, end }: Range) =>
      eachWord(part, (word, kind, _end, place) =>
        use(kind === 'part' ? partKey(word) : word, field, Math.min(start + place, end)),
      );
    read(text.title, TITLE, TITLE_RANGE);
    read(text.label, TITLE, LABEL_RANGE);
    for (const key of new Set([titleKey(text.title), titleKey(text.label)])) if (key) use(key, TITLE, 0);
    read(text.description, HEADING, DESCRIPTION_RANGE);
    for (const [index, { title, text: body }] of text.sections.entries()) {
      read(title, HEADING, headingRange(index + 1));
      read(body, BODY, bodyRange(index + 1));
    }
  }
  const segment: Segment = new Map();
  for (const [word, { postings }] of words) segment.set(word, postings.join(','));
  return segment;
}

/** Adds a posting. True: it is the first use of the word on the page. */
function addUse(
  words: Map<string, PostingList>,
  page: number,
  key: string,
  field: number,
  position: number,
  mayBeNew: boolean,
): boolean {
  const found = words.get(key);
  if (found?.postings[found.at] === page) {
    const { postings, at, last } = found;
    const use = postings[at + 1] ?? 0;
    // Increments the count, and keeps the better field.
    postings[at + 1] = use + FIELDS + Math.max(0, field - (use % FIELDS));
    const stored = postings.length - at - 2;
    if (storedPositions(stored + 1) > stored) {
      postings.push(position - last);
      found.last = position;
    }
    return false;
  }
  if (!mayBeNew) return false;
  if (found) {
    found.at = found.postings.length;
    found.last = position;
    found.postings.push(page, FIELDS + field, position);
  } else words.set(key, { postings: [page, FIELDS + field, position], at: 0, last: position });
  return true;
}

/** The distinct words of a segment, each between two spaces. */
export function wordsOf(segment: Segment): string {
  const words: string[] = [];
  for (const key of segment.keys()) {
    const word = key.endsWith('-') ? key.slice(0, -1) : key;
    const isListed = word !== key && segment.has(word);
    if (!key.startsWith('=') && !isListed) words.push(`${word} `);
  }
  return ` ${words.join('')}`;
}

/** A posting list as bytes: reading them takes a fraction of the time of reading a text, or of parsing it as JSON. */
export const bytesOf = (postings: Postings): Uint8Array => Buffer.from(postings, 'latin1');

/**
 * Visits every page of a posting list; its encoded positions are from offset `from` to before `to`. They are skipped, not
 * decoded: a search does not need those of most pages.
 */
export function eachUse(
  bytes: Uint8Array,
  visit: (page: number, count: number, field: number, from: number, to: number) => void,
): void {
  for (let at = 0; at < bytes.length;) {
    const pageEnd = endOfNumber(bytes, at);
    const useEnd = endOfNumber(bytes, pageEnd + 1);
    const use = numberIn(bytes, pageEnd + 1, useEnd);
    const count = Math.trunc(use / FIELDS);
    let to = useEnd;
    for (let left = storedPositions(count); left > 0; left--) to = endOfNumber(bytes, to + 1);
    visit(numberIn(bytes, at, pageEnd), count, use % FIELDS, useEnd + 1, to);
    at = to + 1;
  }
}
