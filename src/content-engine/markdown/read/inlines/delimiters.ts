import type { PlainMark } from '../../../document/index.ts';
import { endsWord, flankAfter, flankBefore, mayFlank } from '../../scan/syntax/chars.ts';
import type { Item, Run } from './inline-items.ts';

/** Emphasis: `*`, `_` and `~~`, by the delimiter algorithm of CommonMark. */

const UNDERSCORE = 95;
const TILDE = 126;

export function delimiterAt(text: string, at: number, end: number, from: number, to: number): Run {
  const code = text.charCodeAt(at);
  const before = flankBefore(text, at, from);
  const after = flankAfter(text, end, to);
  const left = mayFlank(before, after);
  const right = mayFlank(after, before);
  const word = code === UNDERSCORE;
  return {
    code,
    length: end - at,
    canOpen: left && (!word || endsWord(before, after)),
    canClose: right && (!word || endsWord(after, before)),
    count: end - at,
    closes: null,
    opens: null,
  };
}

/**
 * Pairs the delimiters of items from `start` on. For each kind of closer, `bottoms` holds the index below which no opener
 * matches it, so that the search stays linear.
 */
export function pairDelimiters(items: readonly Item[], delimiters: number[], start: number): void {
  let first = delimiters.length;
  while (first > 0 && (delimiters[first - 1] as number) >= start) first--;
  if (delimiters.length - first < 2) {
    delimiters.length = first;
    return;
  }
  const open: Run[] = [];
  const bottoms = new Map<number, number>();
  for (const index of delimiters.splice(first)) {
    const item = items[index];
    if (item?.kind !== 'delimiter') continue;
    const run = item.detail;
    if (run.canClose) closeWith(open, run, bottoms);
    if (run.canOpen && run.count > 0) open.push(run);
  }
}

function closeWith(open: Run[], closer: Run, bottoms: Map<number, number>): void {
  const kind = closer.code * 8 + (closer.canOpen ? 4 : 0) + (closer.length % 3);
  while (closer.count > 0) {
    const bottom = bottoms.get(kind) ?? 0;
    let at = open.length - 1;
    while (at >= bottom && !matches(open[at] as Run, closer)) at--;
    if (at < bottom) {
      bottoms.set(kind, open.length);
      return;
    }
    const opener = open[at] as Run;
    use(opener, closer);
    open.length = opener.count > 0 ? at + 1 : at;
    for (const [key, value] of bottoms) if (value > open.length) bottoms.set(key, open.length);
  }
}

function matches(opener: Run, closer: Run): boolean {
  if (opener.code !== closer.code || opener.count === 0) return false;
  if (closer.code === TILDE) return opener.length === closer.length && closer.length === 2;
  // "Rule of three": `*a**b*` is not read as a strong `a` and a stray star.
  if ((opener.canClose || closer.canOpen) && (opener.length + closer.length) % 3 === 0) {
    return opener.length % 3 === 0 && closer.length % 3 === 0;
  }
  return true;
}

function use(opener: Run, closer: Run): void {
  const both = opener.count > 1 && closer.count > 1;
  const mark: PlainMark = closer.code === TILDE ? 'strikethrough' : both ? 'bold' : 'italic';
  const used = both ? 2 : 1;
  opener.count -= used;
  closer.count -= used;
  (opener.opens ??= []).push(mark);
  (closer.closes ??= []).push(mark);
}
