import { trimEnd } from './chars.ts';
import { addLine } from './leaves.ts';
import { add, findText, isLineEnd, settle, type Scan } from './state.ts';
import { closeElement, closeTag } from './containers.ts';
import { cellCount, isDelimiterRow } from './pipe.ts';

/** Takes what is left of the line as text: a paragraph, or a row of a pipe table. */
export function addText(s: Scan, matched: number): void {
  const tail = endAtTail(s);
  if (tail !== undefined) {
    const { lineEnd } = s;
    s.lineEnd = trimEnd(s.src, s.text, tail);
    if (s.lineEnd > s.text) addLines(s, matched);
    s.lineEnd = lineEnd;
    s.text = tail;
    s.indent = 0;
    if (s.src[tail] === '<') closeElement(s);
    else closeTag(s);
    return;
  }
  addLines(s, matched);
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

/** An end tag behind text on the same line: `Text {% endtab %}`, `Text</details>`. */
function endAtTail(s: Scan): number | undefined {
  const end = trimEnd(s.src, s.text, s.lineEnd);
  const last = s.src.charCodeAt(end - 1);
  if (last === 125 && s.src.charCodeAt(end - 2) === 37) {
    const line = s.src.slice(s.text, end);
    const offset = line.lastIndexOf('{%');
    if (offset < 0 || line[offset - 1] === '\\') return undefined;
    const start = s.text + offset;
    const name = /^\{%\s*end([\w-]+)/.exec(line.slice(offset, offset + 60))?.[1];
    return name !== undefined && s.stack.some((open) => open.tag?.name === name) ? start : undefined;
  }
  if (
    last === 62 &&
    s.src.startsWith('</details>', end - 10) &&
    end - 10 >= s.text &&
    s.src[end - 11] !== '\\'
  ) {
    return s.stack.some((open) => open.kind === 'details') ? end - 10 : undefined;
  }
  return undefined;
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

/** The last line of the open paragraph turns out to be the head of a table. */
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
