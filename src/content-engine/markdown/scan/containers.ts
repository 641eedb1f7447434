import { nestingOf, templateTagAt, type TemplateTag } from './syntax/template-tag.ts';
import { add, closeTo, findText, moveTo, push, settle, top, type Scan } from './state.ts';
import { MAX_DEPTH, type Token } from './token.ts';

/** Blocks between a start and an end tag: `{% hint %}`, `<details>`. */

export type Started = 'none' | 'leaf' | 'container';

export function startTag(s: Scan, matched: number): Started {
  const tag = templateTagAt(s.src, s.text, s.src.length, s.finder);
  if (!tag) return 'none';
  const spans = tag.end > s.lineEnd;
  const nesting = nestingOf(s.tags, tag.name);
  if (spans && !nesting) return 'none';
  if (spans) extendLine(s, tag.end);
  if (tag.name.startsWith('end') && tag.name.length > 3) {
    settleFor(s, matched, tag.name.slice(3));
    return closeTag(s);
  }
  settle(s, matched);
  if (nesting?.within === undefined) closeCaptions(s);
  else if (!closeToParent(s, nesting.within)) return verbatim(s, tag);
  if (!nesting) return verbatim(s, tag);
  return nesting.end === 'none' ? voidTag(s, tag) : openTag(s, tag);
}

/** A tag may span lines. Text after it is read as the rest of its last line. */
export function extendLine(s: Scan, end: number): void {
  let at = end;
  while (at < s.src.length && s.src[at] !== '\n' && s.src[at] !== '\r') at++;
  s.lineEnd = at;
  s.next = s.src.startsWith('\r\n', at) ? at + 2 : Math.min(at + 1, s.src.length);
}

function openTag(s: Scan, tag: TemplateTag): Started {
  if (top(s).depth >= MAX_DEPTH) {
    s.tooDeep.set(tag.name, (s.tooDeep.get(tag.name) ?? 0) + 1);
    s.warnings.push({
      kind: 'too-deep',
      message: `{% ${tag.name} %} is nested deeper than ${MAX_DEPTH} blocks and is stored as text.`,
      start: s.text,
      end: tag.end,
    });
    return verbatim(s, tag, false);
  }
  const token = add(s, 'tag', s.text, tag.end);
  token.tag = tag;
  push(s, token);
  goOn(s, tag.end);
  return 'container';
}

function voidTag(s: Scan, tag: TemplateTag): Started {
  const token = add(s, 'tag', s.text, tag.end);
  token.tag = tag;
  token.closeStart = tag.end;
  return goOn(s, tag.end);
}

/** Continues after the consumed part of the line. */
export function goOn(s: Scan, at: number): Started {
  moveTo(s, at);
  findText(s);
  return s.blank ? 'leaf' : 'container';
}

/** An unknown tag is verbatim. Reading continues after it. */
function verbatim(s: Scan, tag: TemplateTag, warn = true): Started {
  const token = add(s, 'verbatim', s.text, tag.end);
  if (warn) {
    s.warnings.push({
      kind: 'unknown-block',
      message: `{% ${tag.name} %} is not a supported block and is stored unchanged.`,
      start: token.start,
      end: token.end,
    });
  }
  return goOn(s, tag.end);
}

/** `{% tab %}` belongs to the nearest `{% tabs %}`; blocks that are open inside are closed. */
function closeToParent(s: Scan, parent: string): boolean {
  for (let index = s.stack.length - 1; index > 0; index--) {
    if (s.stack[index]?.tag?.name !== parent) continue;
    closeTo(s, index + 1);
    return true;
  }
  return false;
}

/** An embed that is still open when another block begins has no end tag. */
export function closeCaptions(s: Scan): void {
  const open = top(s);
  if (open.tag && s.tags.get(open.tag.name)?.end === 'optional') closeTo(s, s.stack.length - 1);
}

/** Makes the innermost matched container the open one, for a block other than a paragraph. */
export function settleBlock(s: Scan, matched: number): void {
  settle(s, matched);
  closeCaptions(s);
}

function settleFor(s: Scan, matched: number, name: string): void {
  // An end tag that is indented less or more than its start tag still ends it.
  if (s.stack.some((open) => open.tag?.name === name)) s.leaf = null;
  else settle(s, matched);
}

/** The cursor is at an end tag. */
export function closeTag(s: Scan): Started {
  const tag = templateTagAt(s.src, s.text, s.src.length, s.finder);
  if (!tag) return 'none';
  const name = tag.name.slice(3);
  const skipped = s.tooDeep.get(name) ?? 0;
  if (skipped > 0) {
    s.tooDeep.set(name, skipped - 1);
    return verbatim(s, tag, false);
  }
  for (let index = s.stack.length - 1; index > 0; index--) {
    const open = s.stack[index] as Token;
    if (open.tag?.name !== name) continue;
    closeTo(s, index + 1);
    finish(s, open, tag.end);
    return goOn(s, tag.end);
  }
  return verbatim(s, tag);
}

/** The cursor is at the end tag of an open container, which ends at `end`. */
export function finish(s: Scan, open: Token, end: number): void {
  open.closeStart = s.text;
  open.closeCut = s.fresh ? s.lineStart : s.text;
  open.end = end;
  closeTo(s, s.stack.indexOf(open));
  s.fresh = false;
  s.leaf = null;
}

export function openDetails(s: Scan, matched: number, end: number): Started {
  if ((s.stack[matched - 1]?.depth ?? 0) + 2 > MAX_DEPTH) return 'none';
  settleBlock(s, matched);
  const token = add(s, 'details', s.text, end);
  token.name = 'details';
  token.to = end;
  push(s, token, 2);
  return goOn(s, end) === 'leaf' ? 'leaf' : 'container';
}

/** The cursor is at `</details>`, which ends at `end`. */
export function closeElement(s: Scan, end: number): Started {
  for (let index = s.stack.length - 1; index > 0; index--) {
    const open = s.stack[index] as Token;
    if (open.kind !== 'details') continue;
    closeTo(s, index + 1);
    finish(s, open, end);
    return goOn(s, end);
  }
  return 'none';
}
