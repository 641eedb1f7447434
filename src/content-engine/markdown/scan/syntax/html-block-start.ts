import { htmlTagAt } from './html-tag.ts';
import { trimEnd } from './chars.ts';

/** Elements that begin a block of HTML wherever a line begins with them (CommonMark, kinds 1 and 6). */
const BLOCK_ELEMENTS = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li ' +
    'link main menu menuitem nav noframes ol optgroup option p param pre script search section style summary table ' +
    'tbody td textarea tfoot th thead title tr track ul'
  ).split(' '),
);

/** Elements that continue over blank lines until their end tag, if there is one. */
export const HTML_UNTIL_END: ReadonlySet<string> = new Set([
  'table',
  'figure',
  'pre',
  'script',
  'style',
  'textarea',
]);

/** Inline elements: a line that begins with one is no HTML block. */
const INLINE_ELEMENTS = new Set([
  'img',
  'picture',
  'a',
  'br',
  'button',
  'i',
  'mark',
  'kbd',
  'code',
  'span',
  'strong',
  'em',
  'b',
  'sup',
  'sub',
  'del',
  's',
  'u',
]);

const NAME = /<(\/?)([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)/y;

/** The name of the element (with a slash for an end tag) that begins an HTML block at `at`. */
export function blockNameOf(src: string, at: number): string | undefined {
  NAME.lastIndex = at;
  const match = NAME.exec(src);
  if (!match) return undefined;
  const name = (match[2] ?? '').toLowerCase();
  if (BLOCK_ELEMENTS.has(name)) return (match[1] ?? '') + name;
  return undefined;
}

/** Any other tag alone on its line (kind 7), which cannot interrupt a paragraph. */
export function isLoneElement(src: string, at: number, lineEnd: number): boolean {
  NAME.lastIndex = at;
  const match = NAME.exec(src);
  if (!match || INLINE_ELEMENTS.has((match[2] ?? '').toLowerCase())) return false;
  const element = htmlTagAt(src, at, lineEnd);
  return element !== undefined && trimEnd(src, element.end, lineEnd) === element.end;
}
