import { decodeHTMLStrict } from 'entities/decode';
import { withLineFeeds } from './chars.ts';

/**
 * Character references as CommonMark defines them. Names need their semicolon: `&copy=1` in an address is no copyright
 * sign. Numbers are code points, without the exceptions that HTML makes for Windows-1252.
 */
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});/;
const AT = new RegExp(REFERENCE, 'y');
const EVERY = new RegExp(REFERENCE, 'g');
const REFERENCE_AHEAD = /&(?=#?[A-Za-z0-9]{1,31};)/g;

/** The character reference at an offset, or undefined: its text and its end. */
export function entityAt(text: string, at: number): { text: string; end: number } | undefined {
  AT.lastIndex = at;
  const match = AT.exec(text);
  if (!match) return undefined;
  const [reference, decimal, hex] = match;
  const decoded = decode(reference, decimal, hex);
  // The library returns an unknown name unchanged.
  return decoded === reference ? undefined : { text: decoded, end: at + reference.length };
}

export const decodeReferences = (text: string): string =>
  text.includes('&') ? text.replace(EVERY, decode) : text;

/** The source with its character references decoded and its line ends normalized to line feeds. */
export const decodeEntities = (source: string): string => decodeReferences(withLineFeeds(source));

/** Escapes every ampersand that would be read as the beginning of a character reference. */
export const escapeAmpersands = (text: string): string => text.replace(REFERENCE_AHEAD, '&amp;');

function decode(reference: string, decimal: string | undefined, hex: string | undefined): string {
  if (decimal !== undefined) return fromCodePoint(Number.parseInt(decimal, 10));
  return hex === undefined ? decodeHTMLStrict(reference) : fromCodePoint(Number.parseInt(hex, 16));
}

function fromCodePoint(code: number): string {
  const isInvalid = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return isInvalid ? '\ufffd' : String.fromCodePoint(code);
}
