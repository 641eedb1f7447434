import { isBlankChar, isPunctuation, trimStart } from '../../scan/syntax/chars.ts';
import { decodeEntities } from '../../scan/syntax/entities.ts';

/** `(destination "title")` after a link text. */
export interface Destination {
  readonly from: number;
  readonly to: number;
  readonly href: string;
  readonly title: string | undefined;
  readonly end: number;
}

const MAX_PARENTHESES = 32;

export function destinationAt(text: string, at: number, to: number): Destination | undefined {
  const start = trimStart(text, at + 1, to);
  const range = text.charCodeAt(start) === 60 ? angled(text, start, to) : bare(text, start, to);
  if (!range) return undefined;
  let end = trimStart(text, range.end, to);
  let title: string | undefined;
  if (end > range.end && end < to && text.charCodeAt(end) !== 41) {
    const found = titleAt(text, end, to);
    if (!found) return undefined;
    title = found.title;
    end = trimStart(text, found.end, to);
  }
  if (end >= to || text.charCodeAt(end) !== 41) return undefined;
  return {
    from: range.from,
    to: range.to,
    href: plain(text.slice(range.from, range.to)),
    title,
    end: end + 1,
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

function angled(text: string, start: number, to: number): Range | undefined {
  for (let at = start + 1; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 62) return { from: start + 1, to: at, end: at + 1 };
    if (code === 60 || code === 10 || code === 13) return undefined;
    if (code === 92) at++;
  }
  return undefined;
}

function bare(text: string, start: number, to: number): Range | undefined {
  let open = 0;
  let at = start;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 127) break;
    if (code === 92 && isPunctuation(text.charCodeAt(at + 1))) at++;
    else if (code === 40 && ++open > MAX_PARENTHESES) return undefined;
    else if (code === 41 && --open < 0) break;
  }
  return open > 0 || at > to ? undefined : { from: start, to: at, end: at };
}

function titleAt(text: string, start: number, to: number): { title: string; end: number } | undefined {
  const open = text.charCodeAt(start);
  const close = open === 40 ? 41 : open;
  if (open !== 34 && open !== 39 && open !== 40) return undefined;
  for (let at = start + 1; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === close) return { title: plain(text.slice(start + 1, at)), end: at + 1 };
    if (code === 40 && open === 40) return undefined;
    if (code === 92) at++;
  }
  return undefined;
}

/** Removes backslashes and entities. */
export const plain = (raw: string): string =>
  decodeEntities(raw.includes('\\') ? raw.replace(/\\([!-/:-@[-`{-~])/g, '$1') : raw);

const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+)>/y;

/** `<https://…>` or `<me@example.com>`. */
export function autolinkAt(
  text: string,
  at: number,
  to: number,
): { text: string; href: string; end: number } | undefined {
  let end = at + 1;
  while (end < to && text.charCodeAt(end) !== 62) {
    const code = text.charCodeAt(end);
    if (isBlankChar(code) || code === 60) return undefined;
    end++;
  }
  AUTOLINK.lastIndex = at;
  const found = AUTOLINK.exec(text)?.[1];
  if (found === undefined || at + found.length + 2 > to) return undefined;
  const mail = found.includes('@') && !found.includes(':');
  return { text: found, href: mail ? `mailto:${found}` : found, end: at + found.length + 2 };
}
