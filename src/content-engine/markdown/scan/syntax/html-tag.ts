import { decodeEntities } from './entities.ts';
import { isBlankChar, isLetter, isDigit } from './chars.ts';

/** One start or end tag of HTML. `from` and `to` of a value are the offsets of its raw text. */
export interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

export interface HtmlTag {
  readonly name: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  readonly end: number;
}

const NONE: readonly Attribute[] = [];

const isNameChar = (code: number): boolean => isLetter(code) || isDigit(code) || code === 45;

const isAttributeEnd = (code: number): boolean =>
  isBlankChar(code) || code === 61 || code === 62 || code === 47 || code === 34 || code === 39 || code === 60;

/** The tag that begins with the `<` at `at` and ends before `to`. */
export function htmlTagAt(src: string, at: number, to: number): HtmlTag | undefined {
  let pos = at + 1;
  const closing = src.charCodeAt(pos) === 47;
  if (closing) pos++;
  if (pos >= to || !isLetter(src.charCodeAt(pos))) return undefined;
  const nameStart = pos;
  while (pos < to && isNameChar(src.charCodeAt(pos))) pos++;
  const name = src.slice(nameStart, pos).toLowerCase();
  let attributes: Attribute[] | undefined;
  for (;;) {
    const before = pos;
    while (pos < to && isBlankChar(src.charCodeAt(pos))) pos++;
    if (pos >= to) return undefined;
    const code = src.charCodeAt(pos);
    if (code === 62) return tag(name, closing, false, attributes ?? NONE, at, pos + 1);
    if (code === 47 && src.charCodeAt(pos + 1) === 62 && pos + 1 < to) {
      return tag(name, closing, true, attributes ?? NONE, at, pos + 2);
    }
    if (before === pos) return undefined;
    const attribute = attributeAt(src, pos, to);
    if (!attribute) return undefined;
    (attributes ??= []).push(attribute.attribute);
    pos = attribute.end;
  }
}

const tag = (
  name: string,
  closing: boolean,
  selfClosing: boolean,
  attributes: readonly Attribute[],
  start: number,
  end: number,
): HtmlTag => ({ name, closing, selfClosing, attributes, start, end });

function attributeAt(src: string, at: number, to: number): { attribute: Attribute; end: number } | undefined {
  let pos = at;
  while (pos < to && !isAttributeEnd(src.charCodeAt(pos))) pos++;
  if (pos === at || pos >= to) return undefined;
  const name = src.slice(at, pos).toLowerCase();
  if (src.charCodeAt(pos) !== 61) return { attribute: { name, value: '', from: pos, to: pos }, end: pos };
  pos++;
  const quote = src.charCodeAt(pos);
  if (quote === 34 || quote === 39) {
    let close = pos + 1;
    while (close < to && src.charCodeAt(close) !== quote) close++;
    if (close >= to) return undefined;
    const value = decodeEntities(src.slice(pos + 1, close));
    return { attribute: { name, value, from: pos + 1, to: close }, end: close + 1 };
  }
  const start = pos;
  while (pos < to && !isBlankChar(src.charCodeAt(pos)) && !'"\'=<>`'.includes(src[pos] ?? '')) pos++;
  if (pos === start) return undefined;
  return {
    attribute: { name, value: decodeEntities(src.slice(start, pos)), from: start, to: pos },
    end: pos,
  };
}

export const attributeOf = (element: HtmlTag, name: string): Attribute | undefined =>
  element.attributes.find((one) => one.name === name);
export const valueIn = (element: HtmlTag, name: string): string | undefined =>
  attributeOf(element, name)?.value;
export const has = (element: HtmlTag, name: string): boolean => attributeOf(element, name) !== undefined;
/** Whether a flag is set: `data-full-width`, `data-full-width="true"`. */
export const isSet = (element: HtmlTag, name: string): boolean =>
  has(element, name) && valueIn(element, name) !== 'false';
