import type { Token } from '../scan/token.ts';

/** Text to read, with its offsets in the body: a range of it, or lines of it joined without their prefixes. */
export interface Span {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Pairs (offset in `text`, offset in the body), one per line; null when `text` is the body. */
  readonly map: readonly number[] | null;
}

export function spanOf(src: string, token: Token): Span {
  return token.lines ? joined(src, token.lines) : { text: src, from: token.from, to: token.to, map: null };
}

export function joined(src: string, lines: readonly number[]): Span {
  const map: number[] = [];
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < lines.length; index += 2) {
    const from = lines[index] as number;
    const to = lines[index + 1] as number;
    map.push(length, from);
    parts.push(src.slice(from, to));
    length += to - from + 1;
  }
  const text = parts.join('\n');
  return { text, from: 0, to: text.length, map };
}

/** Offset in the body of an offset in the span's text. */
export function placeIn(span: Span, at: number): number {
  const { map } = span;
  if (!map) return at;
  let low = 0;
  let high = map.length / 2 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((map[middle * 2] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return (map[low * 2 + 1] as number) + at - (map[low * 2] as number);
}

export const within = (span: Span, from: number, to: number): Span => ({ ...span, from, to });
