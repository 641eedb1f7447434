import { isSpace, trimEnd } from './chars.ts';

/** Rows of pipe tables. A backslash keeps a pipe inside its cell; code spans do not (GFM). */

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

export function isDelimiterRow(src: string, from: number, to: number): boolean {
  const code = src.charCodeAt(from);
  if (code !== 124 && code !== 45 && code !== 58) return false;
  for (let at = from; at < to; at++) {
    const char = src.charCodeAt(at);
    if (char !== 124 && char !== 45 && char !== 58 && !isSpace(char)) return false;
  }
  const row = src.slice(from, to);
  return row.includes('|') && DELIMITERS.test(row);
}

/** Calls `cell` with the trimmed range of each cell, and with the range between its pipes. */
export function eachCell(
  src: string,
  from: number,
  to: number,
  cell: (from: number, to: number, outerFrom: number, outerTo: number) => void,
): void {
  let end = trimEnd(src, from, to);
  let start = from;
  while (start < end && isSpace(src.charCodeAt(start))) start++;
  if (src.charCodeAt(start) === 124) start++;
  if (end > start && src.charCodeAt(end - 1) === 124 && !isEscaped(src, end - 1, start)) end--;
  let at = start;
  for (;;) {
    while (at < end && src.charCodeAt(at) !== 124) at += src.charCodeAt(at) === 92 ? 2 : 1;
    const stop = Math.min(at, end);
    let cellStart = start;
    while (cellStart < stop && isSpace(src.charCodeAt(cellStart))) cellStart++;
    cell(cellStart, Math.max(cellStart, trimEnd(src, cellStart, stop)), start, stop);
    if (at >= end) return;
    start = ++at;
  }
}

function isEscaped(src: string, at: number, from: number): boolean {
  let slashes = 0;
  for (let back = at - 1; back >= from && src.charCodeAt(back) === 92; back--) slashes++;
  return slashes % 2 === 1;
}

export function cellCount(src: string, from: number, to: number): number {
  let count = 0;
  eachCell(src, from, to, () => count++);
  return count;
}

type Alignment = 'left' | 'center' | 'right';

export function alignmentsOf(src: string, from: number, to: number): Alignment[] {
  const found: Alignment[] = [];
  eachCell(src, from, to, (start, end) => {
    const left = src.charCodeAt(start) === 58;
    const right = src.charCodeAt(end - 1) === 58;
    found.push(right ? (left ? 'center' : 'right') : 'left');
  });
  return found;
}
