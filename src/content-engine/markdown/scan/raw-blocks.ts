import { TAB, trimEnd } from './syntax/chars.ts';
import { add, findText, skipColumns, type Scan } from './state.ts';
import type { Token, TokenKind } from './token.ts';

/** Blocks of raw lines, up to the line that ends them. */

export const isRaw = (token: Token): boolean =>
  token.kind === 'fence' ||
  token.kind === 'indented' ||
  token.kind === 'html' ||
  token.kind === 'comment' ||
  token.kind === 'math' ||
  token.kind === 'summary';

/** Takes the current line. Returns false when the block ended before it. */
export function continueRaw(s: Scan): boolean {
  const leaf = s.leaf as Token;
  switch (leaf.kind) {
    case 'fence':
      return continueFence(s, leaf);
    case 'math':
      return continueMath(s, leaf);
    case 'indented':
      if (s.blank || s.indent > 3) {
        skipColumns(s, Math.min(4, s.indent));
        if (s.blank) leaf.lines?.push(s.at, s.lineEnd);
        else addRaw(s, leaf);
        return true;
      }
      closeRaw(s);
      return false;
    default:
      return continueHtml(s, leaf);
  }
}

function addRaw(s: Scan, leaf: Token): void {
  leaf.lines?.push(s.at, s.lineEnd);
  leaf.end = s.lineEnd;
  leaf.to = s.lineEnd;
}

function continueFence(s: Scan, leaf: Token): boolean {
  const mark = leaf.name.charCodeAt(0);
  if (!s.blank && s.indent < 4 && s.src.charCodeAt(s.text) === mark) {
    let at = s.text;
    while (at < s.lineEnd && s.src.charCodeAt(at) === mark) at++;
    if (at - s.text >= leaf.level && trimEnd(s.src, at, s.lineEnd) === at) {
      leaf.end = s.lineEnd;
      leaf.closeStart = s.text;
      s.leaf = null;
      return true;
    }
  }
  skipColumns(s, Math.min(leaf.pad, s.indent));
  addRaw(s, leaf);
  return true;
}

function continueMath(s: Scan, leaf: Token): boolean {
  const end = trimEnd(s.src, s.at, s.lineEnd);
  if (end - s.text >= 2 && s.src.startsWith('$$', end - 2)) {
    if (end - 2 > s.text) leaf.lines?.push(s.at, end - 2);
    leaf.end = s.lineEnd;
    leaf.closeStart = end - 2;
    s.leaf = null;
    return true;
  }
  addRaw(s, leaf);
  return true;
}

/** HTML ends at a blank line, or at its end tag if it has one: `level` is the end of that tag. */
function continueHtml(s: Scan, leaf: Token): boolean {
  if (leaf.level === 0 && (s.blank || endsHtml(s))) {
    s.leaf = null;
    return false;
  }
  addRaw(s, leaf);
  if (leaf.level > 0 && s.lineEnd >= leaf.level) s.leaf = null;
  return true;
}

/** Tags `{% … %}` and ends of open containers end HTML that has no end tag. */
const endsHtml = (s: Scan): boolean =>
  s.src.startsWith('{%', s.text) ||
  (s.src.startsWith('</details>', s.text) && isOpen(s, 'details')) ||
  (s.src.startsWith(':::', s.text) && isOpen(s, 'directive'));

const isOpen = (s: Scan, kind: TokenKind): boolean => s.stack.some((open) => open.kind === kind);

/** Ends the open raw block where its last line ended. */
export function closeRaw(s: Scan): void {
  const leaf = s.leaf;
  if (!leaf || !isRaw(leaf)) return;
  if (leaf.kind === 'indented') dropBlankLines(s, leaf);
  s.leaf = null;
}

function dropBlankLines(s: Scan, leaf: Token): void {
  const lines = leaf.lines ?? [];
  while (
    lines.length > 0 &&
    trimEnd(s.src, lines.at(-2) as number, lines.at(-1) as number) === lines.at(-2)
  ) {
    lines.length -= 2;
  }
}

export function openIndented(s: Scan): void {
  const leaf = add(s, 'indented', s.text, s.lineEnd);
  leaf.lines = [];
  skipColumns(s, 4);
  if (s.carry > 0 && s.src.charCodeAt(s.at - 1) === TAB) s.carry = 0;
  addRaw(s, leaf);
  s.leaf = leaf;
}

/** Adds the rest of the line to a paragraph or the rows of a table. */
export function addLine(s: Scan, leaf: Token): void {
  if (leaf.quoted || leaf.kind === 'pipe') {
    leaf.lines ??= [leaf.from, leaf.to];
    leaf.lines.push(s.text, s.lineEnd);
  }
  leaf.to = trimEnd(s.src, s.text, s.lineEnd);
  leaf.end = leaf.to;
  s.fresh = false;
  findText(s);
}
