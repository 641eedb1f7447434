import { isLineEnd, trimEnd } from './syntax/chars.ts';
import { addLine } from './raw-blocks.ts';
import { add, findText, settle, type Scan } from './state.ts';
import { closeElement, closeTag } from './containers.ts';
import { cellCount, isDelimiterRow } from './syntax/pipe.ts';

/** Reads the rest of the line as text: a paragraph, or a row of a pipe table. */
export function addText(s: Scan, matched: number): void {
  const tail = endAtTail(s);
  if (tail === undefined) {
    addLines(s, matched);
    return;
  }
  const { lineEnd } = s;
  s.lineEnd = trimEnd(s.src, s.text, tail);
  if (s.lineEnd > s.text) addLines(s, matched);
  s.lineEnd = lineEnd;
  s.text = tail;
  s.indent = 0;
  let closed = true;
  for (s.blank = false; closed && !s.blank;) {
    const started = s.src[s.text] === '<' ? closeElement(s, s.text + DETAILS.length) : closeTag(s);
    closed = started !== 'none';
  }
}

function addLines(s: Scan, matched: number): void {
  if (s.leaf && matched === s.stack.length) {
    if (s.leaf.kind === 'paragraph') {
      if (isTableHead(s)) startTable(s);
      else addLine(s, s.leaf);
      return;
    }
    if (s.leaf.kind === 'pipe') {
      addLine(s, s.leaf);
      return;
    }
  }
  settle(s, matched);
  const end = trimEnd(s.src, s.text, s.lineEnd);
  const leaf = add(s, 'paragraph', s.text, end);
  s.leaf = leaf;
  findText(s);
}

/** End tags after text on the same line: `Text {% endtab %}{% endtabs %}`, `Text</details>`. */
function endAtTail(s: Scan): number | undefined {
  let tail: number | undefined;
  let end = trimEnd(s.src, s.text, s.lineEnd);
  for (;;) {
    const start = endTagBefore(s, end);
    if (start === undefined) return tail;
    tail = start;
    end = trimEnd(s.src, s.text, start);
  }
}

const DETAILS = '</details>';
const END_TAG = /^\{%\s*end([\w-]+)\s*%\}$/;
const MAX_END_TAG = 60;

/** The start of the end tag that ends at `end`, if it closes an open block. */
function endTagBefore(s: Scan, end: number): number | undefined {
  if (s.src.startsWith(DETAILS, end - DETAILS.length)) {
    const start = end - DETAILS.length;
    const open =
      start >= s.text && s.src[start - 1] !== '\\' && s.stack.some((one) => one.kind === 'details');
    return open ? start : undefined;
  }
  if (!s.src.startsWith('%}', end - 2)) return undefined;
  const from = Math.max(s.text, end - MAX_END_TAG);
  const offset = s.src.slice(from, end).lastIndexOf('{%');
  const start = from + offset;
  if (offset < 0 || s.src[start - 1] === '\\') return undefined;
  const name = END_TAG.exec(s.src.slice(start, end))?.[1];
  return name !== undefined && s.stack.some((one) => one.tag?.name === name) ? start : undefined;
}

function isTableHead(s: Scan): boolean {
  if (!isDelimiterRow(s.src, s.text, s.lineEnd)) return false;
  const leaf = s.leaf;
  if (!leaf) return false;
  const head = lastLineStart(s);
  return cellCount(s.src, head, leaf.to) === cellCount(s.src, s.text, s.lineEnd);
}

function lastLineStart(s: Scan): number {
  const leaf = s.leaf;
  if (!leaf) return s.text;
  if (leaf.lines) return leaf.lines.at(-2) as number;
  let start = Math.max(lineStartOf(s, leaf.to), leaf.from);
  while (start < leaf.to && (s.src[start] === ' ' || s.src[start] === '\t')) start++;
  return start;
}

/** The last line of the open paragraph becomes the head of a table. */
function startTable(s: Scan): void {
  const paragraph = s.leaf;
  const parent = s.stack.at(-1);
  if (!paragraph || !parent?.children) return;
  const head = lastLineStart(s);
  const headEnd = paragraph.to;
  s.fresh = true;
  if (head > paragraph.from) {
    const cut = lineStartOf(s, head);
    if (paragraph.lines) {
      paragraph.lines.length -= 2;
      paragraph.to = trimEnd(s.src, paragraph.from, paragraph.lines.at(-1) as number);
    } else paragraph.to = trimEnd(s.src, paragraph.from, cut);
    paragraph.end = paragraph.to;
    s.leaf = add(s, 'pipe', head, headEnd);
    s.leaf.cut = cut;
  } else {
    parent.children.pop();
    s.leaf = add(s, 'pipe', head, headEnd);
    s.leaf.cut = paragraph.cut;
  }
  s.fresh = false;
  s.leaf.lines = [head, headEnd];
  addLine(s, s.leaf);
}

function lineStartOf(s: Scan, at: number): number {
  let start = at;
  while (start > 0 && !isLineEnd(s.src.charCodeAt(start - 1))) start--;
  return start;
}
