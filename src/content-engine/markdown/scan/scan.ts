import { addLine, closeRaw, continueRaw, isRaw, openIndented } from './raw-blocks.ts';
import { isTagStart, startBlock } from './block-starts.ts';
import { addText } from './paragraphs.ts';
import {
  closeTo,
  findText,
  moveTo,
  newScan,
  readLine,
  settle,
  skipColumns,
  skipQuoteSpace,
  type Scan,
} from './state.ts';
import type { Token } from './token.ts';

/**
 * Reads a body line by line into a tree of blocks. Each line is looked at by the open containers from the outside in
 * (at most MAX_DEPTH of them), then by the block starts, so that the time is proportional to the length.
 */
export function scanBlocks(src: string, tags: Scan['tags'], maxNodes?: number): Scan {
  const s = newScan(src, tags, maxNodes);
  let at = 0;
  while (at < src.length) {
    readLine(s, at);
    scanLine(s);
    at = s.next;
  }
  closeRaw(s);
  closeTo(s, 1);
  return s;
}

function scanLine(s: Scan): void {
  let matched = 1;
  while (matched < s.stack.length && continues(s, s.stack[matched] as Token)) matched++;
  if (s.leaf && isRaw(s.leaf)) {
    if (matched === s.stack.length) {
      if (continueRaw(s)) return;
    } else closeRaw(s);
  }
  // A line that is not indented is no part of an admonition, even where it could continue its paragraph.
  if (s.stack[matched]?.kind === 'admonition') s.leaf = null;
  openBlocks(s, matched);
}

/** Whether this line belongs to an open container; if so, the cursor moves behind the container's prefix. */
function continues(s: Scan, token: Token): boolean {
  switch (token.kind) {
    case 'quote': {
      if (s.blank || s.indent > 3 || s.src.charCodeAt(s.text) !== 62) return false;
      moveTo(s, s.text + 1);
      skipQuoteSpace(s);
      return true;
    }
    case 'admonition': {
      if (!s.blank && s.indent < token.pad) return false;
      skipColumns(s, Math.min(token.pad, s.indent));
      findText(s);
      return true;
    }
    case 'item':
    case 'footnote': {
      if (s.blank ? token.children?.length === 0 : s.indent < token.pad) return false;
      skipColumns(s, Math.min(token.pad, s.indent));
      findText(s);
      return true;
    }
    default:
      return true;
  }
}

function openBlocks(s: Scan, alreadyMatched: number): void {
  let matched = alreadyMatched;
  while (!s.blank) {
    const inParagraph = s.leaf?.kind === 'paragraph';
    if (s.indent > 3 && !isTagStart(s)) {
      if (inParagraph) break;
      settle(s, matched);
      openIndented(s);
      return;
    }
    const started = startBlock(s, matched);
    if (started === 'leaf') return;
    if (started === 'none') break;
    matched = s.stack.length;
  }
  if (s.blank) {
    closeTo(s, matched);
    if (s.leaf?.kind !== 'indented') s.leaf = null;
    return;
  }
  if (s.leaf?.kind === 'paragraph' && matched < s.stack.length) addLine(s, s.leaf);
  else addText(s, matched);
}
