import { eachWord } from './words.ts';

/**
 * The words of some pages, each with its postings. A segment is written once and never changed: pages that are gone are
 * left out when several segments are merged into one.
 */
export type Segment = Map<string, Postings>;

/**
 * For every page that uses a word: its number, how often and where (`count * FIELDS + field`), and its first positions;
 * all with commas between. There are very many: as text they are stored, joined and read fastest.
 */
export type Postings = string;

/** Composed texts (see `composed`). */
export interface PageText {
  readonly title: string;
  readonly description: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

/** Where on a page a word stands at best. */
export const BODY = 0;
export const HEADING = 1;
export const TITLE = 2;

const FIELDS = 3;
const MOST_POSITIONS = 16;

/**
 * A position is the number of the section (from one; title and description are before it), and the word in it. Words of
 * the heading come first, then a gap, so that a phrase does not go on from one to the other.
 */
const SECTION = 1024;
const HEADING_END = 32;

export const sectionAt = (position: number): number => Math.trunc(position / SECTION);
export const isHeadingAt = (position: number): boolean => position % SECTION < HEADING_END;

export function segmentOf(pages: readonly { readonly number: number; readonly text: PageText }[]): Segment {
  /** `at` is where the postings of the page that is being read begin. */
  const words = new Map<string, { readonly postings: number[]; at: number }>();
  for (const { number, text } of pages) {
    /** Words from `first` on; however many there are, the position remains before `end`. */
    const read = (part: string, field: number, first: number, end: number) => {
      let next = first;
      eachWord(part, (word) => {
        const position = Math.min(next++, end - 1);
        const found = words.get(word);
        if (!found) words.set(word, { postings: [number, FIELDS + field, position], at: 0 });
        else if (found.postings[found.at] !== number) {
          found.at = found.postings.length;
          found.postings.push(number, FIELDS + field, position);
        } else {
          const { postings, at } = found;
          const use = postings[at + 1] ?? 0;
          // One more, and the better field of the two.
          postings[at + 1] = use + FIELDS + Math.max(0, field - (use % FIELDS));
          if (postings.length - at < MOST_POSITIONS + 2) postings.push(position);
        }
      });
    };
    read(text.title, TITLE, 0, HEADING_END - 1);
    read(text.description, HEADING, HEADING_END, SECTION - 1);
    text.sections.forEach(({ title, text: body }, index) => {
      const start = (index + 1) * SECTION;
      read(title, HEADING, start, start + HEADING_END - 1);
      read(body, BODY, start + HEADING_END, start + SECTION - 1);
    });
  }
  const segment: Segment = new Map();
  for (const [word, { postings }] of words) segment.set(word, postings.join(','));
  return segment;
}

/** Visits every page of the postings: `values` from `from` to before `to` are the positions. */
export function eachUse(
  postings: Postings,
  visit: (
    page: number,
    count: number,
    field: number,
    values: readonly number[],
    from: number,
    to: number,
  ) => void,
): void {
  const values = JSON.parse(`[${postings}]`) as number[];
  for (let at = 0; at < values.length;) {
    const use = values[at + 1] ?? 0;
    const count = Math.trunc(use / FIELDS);
    const to = at + 2 + Math.min(count, MOST_POSITIONS);
    visit(values[at] ?? 0, count, use % FIELDS, values, at + 2, to);
    at = to;
  }
}

/** Adds what a block of another segment holds, without the pages that are gone. */
export function mergeInto(segment: Segment, block: string, gone: ReadonlySet<number>): void {
  for (const [word, postings] of entriesOf(block)) {
    const kept = gone.size > 0 ? without(postings, gone) : postings;
    const others = segment.get(word);
    if (kept) segment.set(word, others ? `${others},${kept}` : kept);
  }
}

function without(postings: Postings, gone: ReadonlySet<number>): Postings {
  const kept: number[] = [];
  eachUse(postings, (page, _count, _field, values, from, to) => {
    if (!gone.has(page)) for (let at = from - 2; at < to; at++) kept.push(values[at] ?? 0);
  });
  return kept.join(',');
}

/**
 * Neighbouring words with their postings, as they are stored: a line for each. Whoever looks for a word reads one block,
 * not the whole segment.
 */
export interface Block {
  readonly first: string;
  readonly entries: string;
}

const BLOCK_LENGTH = 1800;

export function blocksOf(segment: Segment): Block[] {
  const blocks: Block[] = [];
  let first = '';
  let entries = '';
  for (const word of sorted([...segment.keys()])) {
    const entry = `${word} ${segment.get(word) ?? ''}\n`;
    if (entries && entries.length + entry.length > BLOCK_LENGTH) {
      blocks.push({ first, entries });
      entries = '';
    }
    if (!entries) first = word;
    entries += entry;
  }
  if (entries) blocks.push({ first, entries });
  return blocks;
}

export type Entry = readonly [word: string, postings: Postings];

export const entriesOf = (block: string): Entry[] =>
  block
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    });

/** As the database compares: by bytes of UTF-8. JavaScript's own order differs for characters of two units. */
const sorted = (words: readonly string[]): string[] =>
  words.some((word) => TWO_UNITS.test(word)) ? words.toSorted(byCodePoint) : words.toSorted();

const TWO_UNITS = /[\ud800-\udfff]/;

function byCodePoint(a: string, b: string): number {
  const others = Array.from(b, (character) => character.codePointAt(0) ?? 0);
  for (const [index, character] of Array.from(a).entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (others[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return Array.from(a).length - others.length;
}
