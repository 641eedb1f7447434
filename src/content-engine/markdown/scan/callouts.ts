import { HINT_STYLES, type HintStyle } from '../../document/index.ts';
import { isLineEnd, SPACE, TAB, trimEnd, trimStart } from './syntax/chars.ts';
import { finish, settleBlock, type Started } from './containers.ts';
import { add, push, type Scan } from './state.ts';
import { MAX_DEPTH, type Token, type TokenKind } from './token.ts';

/**
 * Callouts of other programs, which are hints: alerts of GitHub and callouts of Obsidian (`> [!NOTE]`), directives of
 * Docusaurus and VitePress (`:::note`), and admonitions of MkDocs (`!!! note`). `name` of their token is the style of the
 * hint; a title is their first child, with the name TITLE.
 */
export const TITLE = 'title';

const COLON = 58;
const QUOTE = 62;

/** Other words of these programs. Case does not matter. */
const STYLES: ReadonlyMap<string, HintStyle> = new Map([
  ...Object.entries(HINT_STYLES),
  ...Object.entries({
    summary: 'info',
    tldr: 'info',
    todo: 'info',
    help: 'info',
    faq: 'info',
    quote: 'info',
    cite: 'info',
    secondary: 'info',
    details: 'info',
    spoiler: 'info',
    done: 'success',
    fail: 'danger',
    missing: 'danger',
  } as const),
]);

const styleOf = (word: string): HintStyle | undefined => STYLES.get(word.toLowerCase());

const ALERT = /\[!([A-Za-z][\w-]*)\][-+]?(?=[ \t\r\n]|$)/y;
const DIRECTIVE = /:{3,}[ \t]*([A-Za-z][\w-]*)/y;
const ADMONITION =
  /(?:!!!|\?\?\?\+?)[ \t]*([A-Za-z][\w-]*)(?:[ \t]+(?:inline|end|left|right)(?![\w-]))*(?=[ \t\r\n]|$)/y;

type Range = readonly [from: number, to: number];

/** The first line of a callout: its word, and the rest, which may be a title. Offsets in the body. */
interface Head {
  readonly word: string;
  readonly rest: Range;
}

function headAt({ src, text, lineEnd }: Scan, pattern: RegExp): Head | undefined {
  pattern.lastIndex = text;
  const word = pattern.exec(src)?.[1];
  const from = trimStart(src, pattern.lastIndex, lineEnd);
  return word === undefined ? undefined : { word, rest: [from, trimEnd(src, from, lineEnd)] };
}

/** The title of a directive: `[Title]{#id}`, `Title {#id}` or `{title="Title"}`. */
function directiveTitle(src: string, [from, to]: Range): Range {
  const label = src[from] === '[' ? src.indexOf(']', from) : -1;
  if (label >= 0 && label < to) return [from + 1, label];
  const open = src[to - 1] === '}' ? src.lastIndexOf('{', to) : -1;
  if (open < from) return [from, to];
  if (open > from) return [from, trimEnd(src, from, open)];
  const start = src.indexOf('title="', from) + 7;
  const end = src.indexOf('"', start);
  return start < 7 || end < 0 || end > to ? [to, to] : [start, end];
}

const isQuoted = (src: string, [from, to]: Range): boolean =>
  to - from > 1 && src[from] === '"' && src[to - 1] === '"';

/** The rest of the line was read: its title is the first block of the callout, the innermost container. */
function addHead(s: Scan, token: Token, [from, to]: Range): void {
  token.end = trimEnd(s.src, s.text, s.lineEnd);
  token.to = token.end;
  if (from === to) return;
  token.to = trimEnd(s.src, s.text, from);
  add(s, 'paragraph', from, to).name = TITLE;
}

/** The cursor is in a new quote. One without a title and further lines is no alert. */
export function startAlert(s: Scan, quote: Token): boolean {
  const head = s.indent < 4 && s.src.startsWith('[!', s.text) ? headAt(s, ALERT) : undefined;
  const style = head && styleOf(head.word);
  if (!style || (head.rest[0] === head.rest[1] && !continuesQuote(s.src, s.next))) return false;
  // Only for alerts, a caution is worse than a warning.
  quote.name = head.word.toLowerCase() === 'caution' ? 'danger' : style;
  addHead(s, quote, head.rest);
  return true;
}

function continuesQuote(text: string, lineStart: number): boolean {
  const mark = /[ \t]*>/y;
  mark.lastIndex = lineStart;
  return mark.test(text);
}

export function startDirective(s: Scan, matched: number): Started {
  let at = s.text;
  while (s.src.charCodeAt(at) === COLON) at++;
  const colons = at - s.text;
  if (colons < 3) return 'none';
  if (trimEnd(s.src, at, s.lineEnd) === at) return endDirective(s, matched, colons);
  const head = headAt(s, DIRECTIVE);
  const style = head && styleOf(head.word);
  // Without an end, it would contain the rest of the page.
  if (!style || s.finder.next(':::', s.lineEnd) < 0) return 'none';
  return startCallout(s, matched, {
    kind: 'directive',
    style,
    colons,
    title: directiveTitle(s.src, head.rest),
  });
}

/** Containers whose lines begin with a mark or blanks. */
const PREFIXED: ReadonlySet<TokenKind> = new Set(['quote', 'item', 'footnote', 'admonition']);

/** An end closes the innermost directive that has no more colons. */
function endDirective(s: Scan, matched: number, colons: number): Started {
  for (let index = Math.min(matched, s.stack.length) - 1; index > 0; index--) {
    const token = s.stack[index] as Token;
    // A line of a container in the directive.
    if (PREFIXED.has(token.kind)) return 'none';
    if (token.kind !== 'directive' || token.level > colons) continue;
    finish(s, token, s.text + colons);
    return 'leaf';
  }
  return 'none';
}

const INDENTATION = 4;

/** An admonition has a title in quotes or content: `!!! really` in a text has neither. */
export function startAdmonition(s: Scan, matched: number): Started {
  const head = headAt(s, ADMONITION);
  if (!head) return 'none';
  const [from, to] = head.rest;
  const isTitled = isQuoted(s.src, head.rest);
  const title: Range = isTitled ? [from + 1, to - 1] : head.rest;
  if ((!isTitled || title[0] === title[1]) && columnAfter(s) < s.column + s.indent + INDENTATION)
    return 'none';
  return startCallout(s, matched, {
    kind: 'admonition',
    style: styleOf(head.word) ?? 'info',
    colons: 0,
    title,
  });
}

/** The column of the next text below this line; the marks of quotes count as blanks. */
function columnAfter({ src, next }: Scan): number {
  let column = 0;
  for (let at = next; at < src.length; at++) {
    const code = src.charCodeAt(at);
    if (isLineEnd(code)) column = 0;
    else if (code === TAB) column += 4 - (column & 3);
    else if (code === SPACE || code === QUOTE) column++;
    else return column;
  }
  return 0;
}

interface Callout {
  readonly kind: 'directive' | 'admonition';
  readonly style: HintStyle;
  readonly colons: number;
  readonly title: Range;
}

function startCallout(s: Scan, matched: number, { kind, style, colons, title }: Callout): Started {
  if ((s.stack[matched - 1]?.depth ?? 0) >= MAX_DEPTH) return 'none';
  const { indent } = s;
  settleBlock(s, matched);
  const token = add(s, kind, s.text, s.lineEnd);
  token.name = style;
  token.level = colons;
  token.pad = indent + INDENTATION;
  push(s, token);
  addHead(s, token, title);
  return 'leaf';
}
