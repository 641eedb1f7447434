import { isLineEnd, isSpace } from './chars.ts';

/** A link reference definition: the range of its destination, and its end. */
export interface Definition {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

const LABEL = /\[((?:[^[\]\\]|\\.){1,999})\]:/sy;
const BLANK_LINE = /\n[ \t]*\r?\n/;

/** The label at an offset, and the offset behind its colon. A label continues over lines, but not over a blank one. */
export function definitionLabelAt(src: string, at: number): { label: string; end: number } | undefined {
  LABEL.lastIndex = at;
  const match = LABEL.exec(src);
  const label = match?.[1];
  if (!match || label === undefined || label.trim() === '' || BLANK_LINE.test(label)) return undefined;
  return { label, end: at + match[0].length };
}

/**
 * The definition whose label ends at an offset. Destination and title may be on lines of their own; `limit` is the end of
 * the line where they may not.
 */
export function definitionAt(
  src: string,
  label: { label: string; end: number },
  limit: number,
): Definition | undefined {
  const start = afterBreak(src, label.end, limit);
  const to = destinationEnd(src, start, limit);
  if (to === undefined) return undefined;
  const angled = src[start] === '<' ? 1 : 0;
  const found = { label: label.label, from: start + angled, to: to - angled };
  const titled = titleEnd(src, afterBreak(src, to, limit), limit);
  const end = titled !== undefined && isSpaced(src, to) && isRestBlank(src, titled, limit) ? titled : to;
  return isRestBlank(src, end, limit) ? { ...found, end } : undefined;
}

/** Behind white space with at most one line end. */
function afterBreak(src: string, from: number, limit: number): number {
  let at = skipSpaces(src, from, limit);
  if (at >= limit || !isLineEnd(src.charCodeAt(at))) return at;
  at += src.startsWith('\r\n', at) ? 2 : 1;
  return skipSpaces(src, at, limit);
}

function skipSpaces(src: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && isSpace(src.charCodeAt(at))) at++;
  return at;
}

const isSpaced = (src: string, at: number): boolean =>
  isSpace(src.charCodeAt(at)) || isLineEnd(src.charCodeAt(at));

function isRestBlank(src: string, from: number, limit: number): boolean {
  const at = skipSpaces(src, from, limit);
  return at >= limit || isLineEnd(src.charCodeAt(at));
}

/** Behind the destination, which may be empty only between `<` and `>`. */
function destinationEnd(src: string, start: number, limit: number): number | undefined {
  const isAngled = src[start] === '<';
  for (let at = isAngled ? start + 1 : start; ; at++) {
    const code = at < limit ? src.charCodeAt(at) : 10;
    if (isAngled) {
      if (code === 62) return at + 1;
      if (code === 60 || isLineEnd(code)) return undefined;
    } else if (code <= 32) return at > start ? at : undefined;
    if (code === 92) at++;
  }
}

/** Behind a title in quotes or parentheses. */
function titleEnd(src: string, start: number, limit: number): number | undefined {
  const open = src[start];
  const close = open === '(' ? ')' : open;
  if (start >= limit || (open !== '"' && open !== "'" && open !== '(')) return undefined;
  for (let at = start + 1; at < limit; at++) {
    const character = src[at];
    if (character === close) return at + 1;
    if (character === '(' && open === '(') return undefined;
    if (character === '\n' && isBlankLine(src, at + 1)) return undefined;
    if (character === '\\') at++;
  }
  return undefined;
}

const isBlankLine = (src: string, from: number): boolean => {
  const at = skipSpaces(src, from, src.length);
  return at >= src.length || isLineEnd(src.charCodeAt(at));
};
