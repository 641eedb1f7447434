import { escapeAmpersands } from '../scan/syntax/entities.ts';

/** Escapes text so that it is read back unchanged. */

const entity = (char: string): string => `&#x${(char.codePointAt(0) ?? 0).toString(16)};`;

export const escapeHtml = (text: string): string =>
  escapeAmpersands(text).replace(/[<>\r]/g, (char) =>
    char === '<' ? '&lt;' : char === '>' ? '&gt;' : entity(char),
  );

export const escapeAttribute = (text: string): string =>
  escapeAmpersands(text).replace(/["<>\n\r]/g, (char) => (char === '"' ? '&quot;' : entity(char)));

/** Text inside HTML elements, where runs of white space count as one space and those at the edges not at all. */
export function escapeHtmlText(text: string, edges: { start: boolean; end: boolean }): string {
  const escaped = escapeHtml(text)
    .replace(/\$(?=\$|$)|(?<=^|\$)\$/g, '&#x24;')
    .replace(/\t/g, entity)
    .replace(/(?<= ) /g, entity)
    .replace(/^ (?=&#x20;)/, entity);
  const start = edges.start ? escaped.replace(/^ /, entity) : escaped;
  return edges.end ? start.replace(/ $/, entity) : start;
}

/** The surroundings of a piece of text. */
export interface Place {
  /** True at the beginning of a line: characters that would begin a block are escaped. */
  readonly lineStart: boolean;
  readonly lineEnd: boolean;
  readonly inLink: boolean;
  readonly inCell: boolean;
}

/** Plain text of Markdown, without line breaks. */
export function escapeText(text: string, place: Place): string {
  const marked = text.replace(
    /[\\`*[]|~(?=~|$)|(?<=~|^)~|\$(?=\$|$)|(?<=\$|^)\$|<(?=[A-Za-z/!?]|$)|\{(?=%)|!$|_/g,
    (char, at: number) => (char === '_' && isWord(text, at - 1) && isWord(text, at + 1) ? char : `\\${char}`),
  );
  let escaped = escapeAmpersands(marked).replace(/\r/g, entity);
  if (place.inLink) escaped = escaped.replaceAll(']', '\\]');
  if (place.inCell) escaped = escaped.replaceAll('|', '\\|');
  if (place.lineStart) escaped = escapeLineStart(escaped);
  if (place.lineEnd) escaped = escaped.replace(/[ \t]$/, entity);
  return escaped;
}

function escapeLineStart(text: string): string {
  return text
    .replace(/^[ \t]/, entity)
    .replace(/^(?=:::|!!!|\?\?\?)/, '\\')
    .replace(/^(#{1,6})(?=[ \t]|$)/, '\\$1')
    .replace(/^[>|:=-]/, (char, _at: number, all: string) => (startsBlock(char, all) ? `\\${char}` : char))
    .replace(/^\+(?=[ \t]|$)/, '\\+')
    .replace(/^(\d{1,9})([.)])(?=[ \t]|$)/, '$1\\$2');
}

function startsBlock(char: string, text: string): boolean {
  switch (char) {
    case '>':
    case '|':
      return true;
    case '-':
      return /^-(?:[ \t]|$)|^[-|: \t]+$/.test(text);
    case ':':
      return /^[-|: \t]+$/.test(text);
    default:
      return /^=+[ \t]*$/.test(text);
  }
}

const WORD = /[\p{L}\p{N}]/u;
const isWord = (text: string, at: number): boolean => {
  const char = text[at];
  return char !== undefined && WORD.test(char);
};

/** The destination of a link. */
export function destinationText(href: string): string {
  const escaped = escapeAmpersands(href)
    .replace(/\\/g, '\\\\')
    .replace(/[\n\r]/g, entity);
  if (href !== '' && !/[\s()<>\0-\x20\x7f]/.test(href)) return escaped;
  return `<${escaped.replace(/[<>]/g, '\\$&')}>`;
}
