import { decodeEntities } from './entities.ts';
import { isBlankChar, trimEnd, trimStart, type Finder } from './chars.ts';

/** `{% name key="value" … %}`. `from` and `to` of a value are the offsets between its quotes. */
export interface TagAttribute {
  readonly name: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

export interface TemplateTag {
  readonly name: string;
  readonly attributes: readonly TagAttribute[];
  /** The offset of the text after the name, as written: the condition of an `if`, the path of an `include`. */
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

const NAME = /@?[A-Za-z][\w./-]*/y;
const KEY = /[A-Za-z_:][\w:.-]*/y;

/** The tag that begins at `at`. It may span lines, but never holds the beginning of another. */
export function templateTagAt(
  text: string,
  at: number,
  limit: number,
  finder: Finder,
): TemplateTag | undefined {
  const close = finder.next('%}', at + 2);
  if (close < 0 || close + 2 > limit) return undefined;
  const inner = finder.next('{%', at + 2);
  if (inner >= 0 && inner < close) return undefined;
  const start = trimStart(text, at + 2, close);
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[0];
  if (name === undefined || start + name.length > close) return undefined;
  const from = trimStart(text, start + name.length, close);
  const to = Math.max(from, trimEnd(text, from, close));
  return { name, attributes: name === 'if' ? [] : attributesOf(text, from, to), from, to, end: close + 2 };
}

function attributesOf(text: string, from: number, to: number): TagAttribute[] {
  const found: TagAttribute[] = [];
  let at = from;
  while (at < to) {
    KEY.lastIndex = at;
    const name = KEY.exec(text)?.[0];
    if (name === undefined || at + name.length > to || text[at + name.length] !== '=') {
      at = nextBlank(text, at + 1, to);
      continue;
    }
    const value = valueAt(text, at + name.length + 1, to);
    found.push({ name, value: unescape(text.slice(value.from, value.to)), from: value.from, to: value.to });
    at = value.end;
  }
  return found;
}

function nextBlank(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !isBlankChar(text.charCodeAt(at))) at++;
  return trimStart(text, at, to);
}

/** A quoted or bare value. People type curly quotes: they close what a straight one opened, at the end of the tag. */
function valueAt(text: string, from: number, to: number): { from: number; to: number; end: number } {
  const quote = text[from];
  if (quote !== '"' && quote !== "'") {
    let end = from;
    while (end < to && !isBlankChar(text.charCodeAt(end))) end++;
    return { from, to: end, end: trimStart(text, end, to) };
  }
  let close = text.indexOf(quote, from + 1);
  while (close > 0 && close < to && text[close - 1] === '\\' && text.indexOf(quote, close + 1) < to) {
    const later = text.indexOf(quote, close + 1);
    if (later < 0) break;
    close = later;
  }
  if (close >= 0 && close < to) return { from: from + 1, to: close, end: trimStart(text, close + 1, to) };
  let end = to;
  while (end > from + 1 && '”“’ '.includes(text[end - 1] ?? 'x')) end--;
  return { from: from + 1, to: end, end: to };
}

const unescape = (raw: string): string =>
  decodeEntities(raw.includes('\\') ? raw.replace(/\\(["'])/g, '$1') : raw);

export const attribute = (tag: TemplateTag, name: string): TagAttribute | undefined =>
  tag.attributes.find((one) => one.name === name);
export const valueOf = (tag: TemplateTag, name: string): string | undefined => attribute(tag, name)?.value;

/** How a tag nests. */
export interface TagNesting {
  /** Whether it has an end tag. `optional`: it contains a caption or a link, so any other block ends it. */
  readonly end: 'required' | 'optional' | 'none';
  /** The tag that it is valid in only. */
  readonly within?: string;
}

/** Tags of integrations, such as `@mermaid/diagram`, are listed as `@`. */
export const nestingOf = <Tag extends TagNesting>(
  tags: ReadonlyMap<string, Tag>,
  name: string,
): Tag | undefined => tags.get(name.startsWith('@') ? '@' : name);
