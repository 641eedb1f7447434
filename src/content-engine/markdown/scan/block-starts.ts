import { isDigit, isLineEnd, isSpace, trimEnd, trimStart } from './syntax/chars.ts';
import { startAdmonition, startAlert, startDirective } from './callouts.ts';
import {
  closeElement,
  extendLine,
  goOn,
  openDetails,
  settleBlock,
  startTag,
  type Started,
} from './containers.ts';
import { definitionAt, definitionLabelAt } from './syntax/definition.ts';
import { htmlTagAt } from './syntax/html-tag.ts';
import { blockNameOf, HTML_UNTIL_END, isLoneElement } from './syntax/html-block-start.ts';
import { startItem } from './items.ts';
import { normalLabel } from './syntax/labels.ts';
import { isDelimiterRow } from './syntax/pipe.ts';
import { add, moveTo, push, readLine, settle, skipQuoteSpace, top, type Scan } from './state.ts';
import { MAX_DEPTH, type Token } from './token.ts';

export const isTagStart = (s: Scan): boolean =>
  s.src.charCodeAt(s.text) === 123 && s.src.charCodeAt(s.text + 1) === 37;

/** Opens the block that starts at the cursor. 'container': another block may start after its marker. 'leaf': the line is consumed. */
export function startBlock(s: Scan, matched: number): Started {
  switch (s.src.charCodeAt(s.text)) {
    case 123: // {
      return isTagStart(s) ? startTag(s, matched) : 'none';
    case 60: // <
      return startHtml(s, matched);
    case 62: // >
      return startQuote(s, matched);
    case 35: // #
      return startHeading(s, matched);
    case 96: // `
    case 126: // ~
      return startFence(s, matched);
    case 42: // *
    case 45: // -
    case 95: // _
      return startMarked(s, matched);
    case 61: // =
      return startSetext(s, matched, 1);
    case 36: // $
      return startMath(s, matched);
    case 91: // [
      return startDefinition(s, matched);
    case 43: // +
      return startItem(s, matched);
    case 58: // :
      return startDirective(s, matched);
    case 33: // !
    case 63: // ?
      return startAdmonition(s, matched);
    default:
      return isDigit(s.src.charCodeAt(s.text)) ? startItem(s, matched) : 'none';
  }
}

function startMarked(s: Scan, matched: number): Started {
  if (s.leaf?.kind === 'paragraph' && isDelimiterRow(s.src, s.text, s.lineEnd)) return 'none';
  if (s.src.charCodeAt(s.text) === 45) {
    const setext = startSetext(s, matched, 2);
    if (setext !== 'none') return setext;
  }
  if (startDivider(s, matched) === 'leaf') return 'leaf';
  return s.src.charCodeAt(s.text) === 95 ? 'none' : startItem(s, matched);
}

function startQuote(s: Scan, matched: number): Started {
  if ((s.stack[matched - 1]?.depth ?? 0) >= MAX_DEPTH) return 'none';
  settleBlock(s, matched);
  const token = add(s, 'quote', s.text, s.text + 1);
  push(s, token);
  token.quoted = true;
  moveTo(s, s.text + 1);
  skipQuoteSpace(s);
  return startAlert(s, token) ? 'leaf' : 'container';
}

function startHeading(s: Scan, matched: number): Started {
  let at = s.text;
  while (s.src.charCodeAt(at) === 35) at++;
  const level = at - s.text;
  if (level > 6 || (at < s.lineEnd && !isSpace(s.src.charCodeAt(at)))) return 'none';
  settleBlock(s, matched);
  const token = add(s, 'heading', s.text, trimEnd(s.src, at, s.lineEnd));
  token.level = level;
  while (at < s.lineEnd && isSpace(s.src.charCodeAt(at))) at++;
  token.from = at;
  token.to = Math.max(at, withoutClosingMarks(s.src, at, token.end));
  return 'leaf';
}

/** `## Title ##`: the closing marks are no text. */
function withoutClosingMarks(src: string, from: number, to: number): number {
  let end = to;
  while (end > from && src.charCodeAt(end - 1) === 35) end--;
  if (end === to) return to;
  if (end === from) return from;
  return isSpace(src.charCodeAt(end - 1)) ? trimEnd(src, from, end) : to;
}

function startSetext(s: Scan, matched: number, level: number): Started {
  const leaf = s.leaf;
  if (leaf?.kind !== 'paragraph' || matched < s.stack.length) return 'none';
  const mark = s.src.charCodeAt(s.text);
  let at = s.text;
  while (s.src.charCodeAt(at) === mark) at++;
  if (trimEnd(s.src, at, s.lineEnd) !== at) return 'none';
  const parent = top(s);
  const heading: Token = { ...leaf, kind: 'heading', level, end: at, pad: 1 };
  parent.children?.splice(-1, 1, heading);
  s.leaf = null;
  return 'leaf';
}

function startDivider(s: Scan, matched: number): Started {
  const mark = s.src.charCodeAt(s.text);
  let count = 0;
  for (let at = s.text; at < s.lineEnd; at++) {
    const code = s.src.charCodeAt(at);
    if (code === mark) count++;
    else if (!isSpace(code)) return 'none';
  }
  if (count < 3) return 'none';
  settleBlock(s, matched);
  add(s, 'divider', s.text, trimEnd(s.src, s.text, s.lineEnd));
  return 'leaf';
}

function startFence(s: Scan, matched: number): Started {
  const mark = s.src.charCodeAt(s.text);
  let at = s.text;
  while (s.src.charCodeAt(at) === mark) at++;
  const level = at - s.text;
  if (level < 3) return 'none';
  const info = s.src.slice(at, s.lineEnd).trim();
  if (mark === 96 && info.includes('`')) return 'none';
  settleBlock(s, matched);
  const token = add(s, 'fence', s.text, s.lineEnd);
  token.level = level;
  token.pad = s.indent;
  token.name = String.fromCharCode(mark) + info;
  token.lines = [];
  s.leaf = token;
  return 'leaf';
}

function startMath(s: Scan, matched: number): Started {
  if (!s.src.startsWith('$$', s.text)) return 'none';
  if (trimEnd(s.src, s.text + 2, s.lineEnd) > s.text + 2) return 'none';
  if (s.finder.next('$$', s.text + 2) < 0) return 'none';
  settleBlock(s, matched);
  const token = add(s, 'math', s.text, s.text + 2);
  token.lines = [];
  s.leaf = token;
  return 'leaf';
}

function startDefinition(s: Scan, matched: number): Started {
  const found = definitionLabelAt(s.src, s.text);
  if (!found) return 'none';
  const { label } = found;
  if (label.startsWith('^')) {
    const end = trimStart(s.src, found.end, s.lineEnd);
    return found.end <= s.lineEnd ? startFootnote(s, matched, label.slice(1), end) : 'none';
  }
  if (s.leaf?.kind === 'paragraph') return 'none';
  // Lines in a container begin with its markers: there, a definition is one line.
  const limit = matched === 1 && s.stack.length === 1 ? s.src.length : s.lineEnd;
  const definition = found.end > limit ? undefined : definitionAt(s.src, found, limit);
  if (!definition) return 'none';
  settleBlock(s, matched);
  const token = add(s, 'definition', s.text, definition.end);
  token.name = label;
  token.from = definition.from;
  token.to = definition.to;
  const name = normalLabel(label);
  if (!s.definitions.has(name)) s.definitions.set(name, token);
  if (definition.end > s.lineEnd) readLine(s, lineStart(s, definition.end));
  return 'leaf';
}

/** The start of the line that contains an offset. */
function lineStart(s: Scan, at: number): number {
  let start = at;
  while (start > s.next && !isLineEnd(s.src.charCodeAt(start - 1))) start--;
  return start;
}

function startFootnote(s: Scan, matched: number, label: string, end: number): Started {
  if (label === '' || /\s/.test(label)) return 'none';
  settleBlock(s, matched);
  if (top(s).depth >= MAX_DEPTH) return 'none';
  const token = add(s, 'footnote', s.text, end);
  token.name = label;
  token.pad = 4;
  push(s, token);
  if (!s.footnotes.has(label)) s.footnotes.set(label, token);
  goOn(s, end);
  return 'container';
}

function startHtml(s: Scan, matched: number): Started {
  const { src, text } = s;
  if (src.startsWith('<!--', text)) return startUntil(s, matched, 'comment', '-->', '');
  const name = blockNameOf(src, text);
  if (name === undefined) {
    const lone = s.leaf?.kind !== 'paragraph' && isLoneElement(src, text, s.lineEnd);
    return lone ? startVerbatimHtml(s, matched, '') : 'none';
  }
  if (name === '/details') {
    const end = endOfDetailsTag(src, text);
    if (end === undefined || !s.stack.some((open) => open.kind === 'details'))
      return startVerbatimHtml(s, matched, name);
    s.leaf = null;
    if (end > s.lineEnd) extendLine(s, end);
    return closeElement(s, end);
  }
  if (name === 'details') {
    const element = htmlTagAt(src, text, s.lineEnd);
    if (element) return openDetails(s, matched, element.end);
  }
  if (name === 'summary' && s.stack[matched - 1]?.kind === 'details') return startSummary(s, matched);
  if (HTML_UNTIL_END.has(name) && s.finder.next(`</${name}>`, text) >= 0) {
    return startUntil(s, matched, 'html', `</${name}>`, name);
  }
  return startVerbatimHtml(s, matched, name);
}

/** Where `</details>` ends: a formatter may break the line before the `>`. */
function endOfDetailsTag(src: string, at: number): number | undefined {
  const tag = /<\/details\s*>/iy;
  tag.lastIndex = at;
  return tag.test(src) ? tag.lastIndex : undefined;
}

function startVerbatimHtml(s: Scan, matched: number, name: string): Started {
  settleBlock(s, matched);
  const token = add(s, 'html', s.text, s.lineEnd);
  token.name = name;
  token.lines = [s.text, s.lineEnd];
  s.leaf = token;
  return 'leaf';
}

/** A comment or an element that continues, also over blank lines, until its end. */
function startUntil(s: Scan, matched: number, kind: 'comment' | 'html', end: string, name: string): Started {
  const at = s.finder.next(end, s.text);
  if (at < 0) return 'none';
  settleBlock(s, matched);
  const token = add(s, kind, s.text, s.lineEnd);
  token.name = name;
  token.lines = [s.text, s.lineEnd];
  token.level = at + end.length;
  s.leaf = token.level > s.lineEnd ? token : null;
  return 'leaf';
}

function startSummary(s: Scan, matched: number): Started {
  const at = s.finder.next('</summary>', s.text);
  if (at < 0) return startVerbatimHtml(s, matched, 'summary');
  const start = s.src.indexOf('>', s.text) + 1;
  settle(s, matched);
  const token = add(s, 'summary', s.text, Math.min(at + 10, s.lineEnd));
  token.from = start;
  if (at + 10 > s.lineEnd) {
    token.lines = [start, s.lineEnd];
    token.level = at + 10;
    s.leaf = token;
    return 'leaf';
  }
  token.to = at;
  return goOn(s, at + 10);
}
