import { bytesOf, eachUse, type Postings, type Segment } from './segment.ts';

/**
 * The stored unit of a segment: neighbouring words with their posting lists, one per line. A lookup reads one block.
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
  for (const word of sortedByCodePoint([...segment.keys()])) {
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

export const entriesOf = (block: string): Entry[] => block.slice(0, -1).split('\n').map(toEntry);

/** The entries whose words begin with `prefix`. They are neighbours, because a block is sorted. */
export function entriesWith(block: string, prefix: string): Entry[] {
  const entries: Entry[] = [];
  let start = block.startsWith(prefix) ? 0 : block.indexOf(`\n${prefix}`) + 1;
  while (start < block.length && block.startsWith(prefix, start)) {
    const end = block.indexOf('\n', start);
    entries.push(toEntry(block.slice(start, end)));
    start = end + 1;
  }
  return entries;
}

function toEntry(line: string): Entry {
  const space = line.indexOf(' ');
  return [line.slice(0, space), line.slice(space + 1)];
}

/** Without a function that compares, sorting is three times as fast; then the order is that of UTF-16 code units. */
const sortedByCodePoint = (words: readonly string[]): string[] =>
  SURROGATE.test(words.join('')) ? words.toSorted(byCodePoint) : words.toSorted();

const SURROGATE = /[\ud800-\udfff]/;

/**
 * The order of the database: bytes of UTF-8. JavaScript compares UTF-16 code units, which differs only for surrogates:
 * they must sort after the other code units.
 */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return orderOf(one) - orderOf(other);
  }
  return a.length - b.length;
}

const orderOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Adds a block of another segment, without deleted pages. */
export function mergeBlock(segment: Segment, block: string, deleted: ReadonlySet<number>): void {
  for (const [word, postings] of entriesOf(block)) {
    const remaining = deleted.size > 0 ? withoutPages(postings, deleted) : postings;
    const known = segment.get(word);
    if (remaining) segment.set(word, known ? `${known},${remaining}` : remaining);
  }
}

function withoutPages(postings: Postings, deleted: ReadonlySet<number>): Postings {
  const remaining: string[] = [];
  let start = 0;
  eachUse(bytesOf(postings), (page, _count, _field, _from, to) => {
    if (!deleted.has(page)) remaining.push(postings.slice(start, to));
    start = to + 1;
  });
  return remaining.join(',');
}
