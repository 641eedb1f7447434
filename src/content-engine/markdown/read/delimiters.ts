import type { MarkType } from '../document.ts';
import { flankClass } from '../scan/chars.ts';
import { item, type Item } from './items.ts';

/** Emphasis: `*`, `_` and `~~`, by the delimiter algorithm of CommonMark. */

const UNDERSCORE = 95;
const TILDE = 126;

export function delimiterAt(text: string, at: number, end: number, from: number, to: number): Item {
  const made = item('delimiter', '');
  made.code = text.charCodeAt(at);
  made.count = end - at;
  made.length = made.count;
  const before = at > from ? flankClass(text, before1(text, at, from)) : 1;
  const after = end < to ? flankClass(text, end) : 1;
  const left = after !== 1 && (after !== 2 || before !== 0);
  const right = before !== 1 && (before !== 2 || after !== 0);
  if (made.code === UNDERSCORE) {
    made.canOpen = left && (!right || before === 2);
    made.canClose = right && (!left || after === 2);
  } else {
    made.canOpen = left;
    made.canClose = right;
  }
  return made;
}

/** The character before, as one code point. */
function before1(text: string, at: number, from: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && at - 2 >= from ? at - 2 : at - 1;
}

/**
 * Pairs the delimiters of items from `start` on. For each kind of closer it is remembered below which item no opener is
 * left, so that each pair of kinds looks at an item once.
 */
export function pairDelimiters(items: Item[], delimiters: number[], start: number): void {
  let first = delimiters.length;
  while (first > 0 && (delimiters[first - 1] as number) >= start) first--;
  const own = delimiters.splice(first);
  if (own.length < 2) return;
  const open: number[] = [];
  const bottoms = new Map<number, number>();
  for (const index of own) {
    const closer = items[index] as Item;
    if (closer.canClose) closeWith(items, open, closer, bottoms);
    if (closer.canOpen && closer.count > 0) open.push(index);
  }
}

function closeWith(items: Item[], open: number[], closer: Item, bottoms: Map<number, number>): void {
  const kind = closer.code * 8 + (closer.canOpen ? 4 : 0) + (closer.length % 3);
  while (closer.count > 0) {
    const bottom = bottoms.get(kind) ?? 0;
    let at = open.length - 1;
    while (at >= bottom && !matches(items[open[at] as number] as Item, closer)) at--;
    if (at < bottom) {
      bottoms.set(kind, open.length);
      return;
    }
    const opener = items[open[at] as number] as Item;
    use(opener, closer);
    open.length = opener.count > 0 ? at + 1 : at;
    for (const [key, value] of bottoms) if (value > open.length) bottoms.set(key, open.length);
  }
}

function matches(opener: Item, closer: Item): boolean {
  if (opener.code !== closer.code || opener.count === 0) return false;
  if (closer.code === TILDE) return opener.length === closer.length && closer.length === 2;
  // "Rule of three": `*a**b*` is not read as a strong `a` and a stray star.
  if ((opener.canClose || closer.canOpen) && (opener.length + closer.length) % 3 === 0) {
    return opener.length % 3 === 0 && closer.length % 3 === 0;
  }
  return true;
}

function use(opener: Item, closer: Item): void {
  const both = opener.count > 1 && closer.count > 1;
  const mark: MarkType = closer.code === TILDE ? 'strikethrough' : both ? 'bold' : 'italic';
  const used = both ? 2 : 1;
  opener.count -= used;
  closer.count -= used;
  (opener.opens ??= []).push(mark);
  (closer.closes ??= []).push(mark);
}
