import type { Budget } from '../../budget.ts';
import { NODE, readingBudget } from '../../document/index.ts';
import { CR, SPACE, TAB, Finder } from './syntax/chars.ts';
import type { TagNesting } from './syntax/template-tag.ts';
import { newToken, type Token, type TokenKind, type Warning } from './token.ts';

/** Where the scanner is: one line, the containers that are open, and the block that takes the next line. */
export interface Scan {
  readonly src: string;
  /** The known tags by their name. */
  readonly tags: ReadonlyMap<string, TagNesting>;
  /** The budget for scanning and reading the body. */
  readonly work: Budget;
  readonly finder: Finder;
  readonly loneReturns: boolean;
  readonly warnings: Warning[];
  readonly footnotes: Map<string, Token>;
  readonly definitions: Map<string, Token>;
  /** Start tags that are text because they are nested too deep: their end tags are text too. */
  readonly tooDeep: Map<string, number>;
  lineStart: number;
  lineEnd: number;
  next: number;
  /** Cursor, its column, and columns left of a tab that was only partly used. */
  at: number;
  column: number;
  carry: number;
  /** First character that is not blank, and its indentation from the cursor. */
  text: number;
  indent: number;
  blank: boolean;
  /** No block began on this line yet: the next one owns the line from its start. */
  fresh: boolean;
  readonly stack: Token[];
  leaf: Token | null;
}

export function newScan(src: string, tags: Scan['tags'], maxNodes: number | undefined): Scan {
  const root = newToken('root', 0, 0, src.length);
  root.children = [];
  return {
    src,
    tags,
    work: readingBudget(maxNodes),
    finder: new Finder(src),
    loneReturns: /\r(?!\n)/.test(src),
    warnings: [],
    footnotes: new Map(),
    definitions: new Map(),
    tooDeep: new Map(),
    lineStart: 0,
    lineEnd: 0,
    next: 0,
    at: 0,
    column: 0,
    carry: 0,
    text: 0,
    indent: 0,
    blank: true,
    fresh: true,
    stack: [root],
    leaf: null,
  };
}

export function readLine(s: Scan, start: number): void {
  // A text with lone returns may have no line feed at all: looking for one from every line would never end.
  let end = s.loneReturns ? s.finder.next('\n', start) : s.src.indexOf('\n', start);
  let next = end + 1;
  if (end < 0) {
    end = s.src.length;
    next = end;
  } else if (end > start && s.src.charCodeAt(end - 1) === CR) end--;
  if (s.loneReturns) {
    const lone = s.finder.next('\r', start);
    if (lone >= 0 && lone < end) {
      end = lone;
      next = lone + 1;
    }
  }
  s.lineStart = start;
  s.lineEnd = end;
  s.next = next;
  s.at = start;
  s.column = 0;
  s.carry = 0;
  s.fresh = true;
  findText(s);
}

/** Looks ahead from the cursor to the first character that is not blank. */
export function findText(s: Scan): void {
  const { src, lineEnd } = s;
  let at = s.at;
  let column = s.column + s.carry;
  while (at < lineEnd) {
    const code = src.charCodeAt(at);
    if (code === SPACE) column++;
    else if (code === TAB) column += 4 - (column & 3);
    else break;
    at++;
  }
  s.text = at;
  s.indent = column - s.column;
  s.blank = at >= lineEnd;
}

/** Moves the cursor over `columns` columns of white space. */
export function skipColumns(s: Scan, columns: number): void {
  let left = columns;
  const used = Math.min(s.carry, left);
  s.carry -= used;
  s.column += used;
  left -= used;
  while (left > 0 && s.at < s.lineEnd) {
    const width = s.src.charCodeAt(s.at) === TAB ? 4 - (s.column & 3) : 1;
    s.at++;
    if (width > left) {
      s.column += left;
      s.carry = width - left;
      return;
    }
    s.column += width;
    left -= width;
  }
}

/** One space behind a `>` belongs to it. */
export function skipQuoteSpace(s: Scan): void {
  const code = s.src.charCodeAt(s.at);
  if (s.at < s.lineEnd && (code === SPACE || code === TAB)) skipColumns(s, 1);
  findText(s);
}

/** Puts the cursor behind the text that a block start used up. */
export function moveTo(s: Scan, at: number): void {
  s.column += s.indent + (at - s.text);
  s.carry = 0;
  s.at = at;
}

export const top = (s: Scan): Token => s.stack[s.stack.length - 1] as Token;

/** Adds a block to the innermost open container. */
export function add(s: Scan, kind: TokenKind, start: number, end: number): Token {
  s.work.spend(NODE);
  const parent = top(s);
  const token = newToken(kind, s.fresh ? s.lineStart : start, start, end);
  token.depth = parent.depth;
  token.quoted = parent.quoted;
  s.fresh = false;
  parent.children?.push(token);
  return token;
}

/** Opens a container, which is so many nodes of the document, one in the other. */
export function push(s: Scan, token: Token, nodes = 1): void {
  token.children = [];
  token.depth = top(s).depth + nodes;
  s.stack.push(token);
}

/** Closes the containers above `size`, innermost first. */
export function closeTo(s: Scan, size: number): void {
  if (s.stack.length <= size) return;
  s.leaf = null;
  while (s.stack.length > size) {
    const token = s.stack.pop() as Token;
    const last = token.children?.at(-1);
    if (token.closeStart < 0 && last && last.end > token.end) token.end = last.end;
  }
}

/** Makes the innermost matched container the open one. A list takes only items, so anything else closes it. */
export function settle(s: Scan, matched: number, forItem = false): void {
  const size = !forItem && s.stack[matched - 1]?.kind === 'list' ? matched - 1 : matched;
  closeTo(s, size);
  s.leaf = null;
}
