/**
 * The position of a word on a page: the number of its section (from one; section 0 has title, label and description)
 * and its place in the section. Headings and bodies have separate ranges, so that no phrase spans both. Every word has
 * its own position: no range has fewer positions than its text may have characters.
 */
const SECTION = 8192;
const BODY_START = 2048;

export interface Range {
  readonly start: number;
  readonly end: number;
}

export const TITLE_RANGE: Range = { start: 0, end: 1024 };
export const LABEL_RANGE: Range = { start: 1025, end: BODY_START - 1 };
export const DESCRIPTION_RANGE: Range = { start: BODY_START, end: SECTION - 1 };

/** Sections count from one. */
export const headingRange = (section: number): Range => ({
  start: section * SECTION,
  end: section * SECTION + BODY_START - 1,
});
export const bodyRange = (section: number): Range => ({
  start: section * SECTION + BODY_START,
  end: (section + 1) * SECTION - 1,
});

export const sectionAt = (position: number): number => Math.trunc(position / SECTION);
export const isHeadingAt = (position: number): boolean => position % SECTION < BODY_START;

/** A limit for hostile pages only: no word is as frequent in 2 MB of prose. */
const MAX_POSITIONS = 20_000;

export const storedPositions = (count: number): number => Math.min(count, MAX_POSITIONS);

/** The delta-encoded positions in a posting list from offset `from` to before `to`. Ascending. */
export function decodePositions(bytes: Uint8Array, from: number, to: number): number[] {
  const positions: number[] = [];
  let last = 0;
  for (let at = from; at < to;) {
    const end = endOfNumber(bytes, at);
    last += numberIn(bytes, at, end);
    positions.push(last);
    at = end + 1;
  }
  return positions;
}

const COMMA = 0x2c;
const ZERO = 0x30;

/** The offset after the digits of a number. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== COMMA) at++;
  return at;
}

export function numberIn(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? ZERO) - ZERO;
  return value;
}
