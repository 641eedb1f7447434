import { isDigit, isSpace, TAB } from './syntax/chars.ts';
import { closeCaptions, type Started } from './containers.ts';
import { add, findText, moveTo, push, settle, skipColumns, type Scan } from './state.ts';
import { MAX_DEPTH, type Token } from './token.ts';

const MAX_DIGITS = 9;

/** `* `, `- `, `+ `, `1. `, `1) `. */
export function startItem(s: Scan, matched: number): Started {
  const marker = markerAt(s);
  if (!marker) return 'none';
  const parent = s.stack[matched - 1] as Token;
  if (parent.depth + (parent.kind === 'list' ? 1 : 2) > MAX_DEPTH) return 'none';
  if (s.leaf?.kind === 'paragraph' && matched === s.stack.length && (marker.empty || marker.start > 1))
    return 'none';
  const same = parent.kind === 'list' && parent.name === marker.name;
  settle(s, matched, same);
  if (!same) {
    closeCaptions(s);
    const { fresh } = s;
    const list = add(s, 'list', s.text, marker.end);
    list.name = marker.name;
    list.level = marker.start;
    push(s, list);
    s.fresh = fresh;
  }
  openItem(s, marker);
  return 'container';
}

interface Marker {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly empty: boolean;
}

function markerAt(s: Scan): Marker | undefined {
  const { src, text, lineEnd } = s;
  let at = text;
  while (at < lineEnd && at - text < MAX_DIGITS && isDigit(src.charCodeAt(at))) at++;
  const digits = at - text;
  const code = src.charCodeAt(at);
  if (digits > 0 && code !== 46 && code !== 41) return undefined;
  at++;
  if (at < lineEnd && !isSpace(src.charCodeAt(at))) return undefined;
  let rest = at;
  while (rest < lineEnd && isSpace(src.charCodeAt(rest))) rest++;
  return {
    name: (digits > 0 ? '1' : '') + String.fromCharCode(code),
    start: digits > 0 ? Number.parseInt(src.slice(text, at - 1), 10) : 1,
    end: at,
    empty: rest >= lineEnd,
  };
}

/** The content of an item begins after its marker; indented code keeps its indentation. */
function openItem(s: Scan, marker: Marker): void {
  const item = add(s, 'item', s.text, marker.end);
  push(s, item);
  const width = s.indent + marker.end - s.text;
  moveTo(s, marker.end);
  findText(s);
  const spaces = s.indent;
  if (marker.empty || spaces > 4) {
    item.pad = width + 1;
    if (!marker.empty) skipOne(s);
  } else {
    item.pad = width + spaces;
    skipColumns(s, spaces);
    findText(s);
  }
  item.from = s.text;
}

function skipOne(s: Scan): void {
  const tab = s.src.charCodeAt(s.at) === TAB;
  const width = tab ? 4 - (s.column & 3) : 1;
  s.at++;
  s.column++;
  s.carry = width - 1;
  findText(s);
}
