import { CHILD_OF, CLOSED_BY_OTHERS, CONTAINERS, VOID_TAGS } from './tag-nesting.ts';
import { templateTagAt, type TemplateTag } from './template-tag.ts';
import { add, closeTo, findText, moveTo, push, settle, top, type Scan } from './state.ts';
import { MAX_DEPTH, type Token } from './token.ts';

/** Blocks between a start and an end tag: `{% hint %}`, `<details>`. */

export type Started = 'none' | 'leaf' | 'container';

export function startTag(s: Scan, matched: number): Started {
  const tag = templateTagAt(s.src, s.text, s.src.length, s.finder);
  if (!tag) return 'none';
  const spans = tag.end > s.lineEnd;
  if (spans && !(tag.name in CONTAINERS || VOID_TAGS.has(tag.name) || tag.name.startsWith('@')))
    return 'none';
  if (spans) extendLine(s, tag.end);
  if (tag.name.startsWith('end') && tag.name.length > 3) {
    settleFor(s, matched, tag.name.slice(3));
    return closeTag(s);
  }
  const parent = CHILD_OF.get(tag.name);
  settle(s, matched);
  if (parent === undefined) closeCaptions(s);
  else if (!closeToParent(s, parent)) return verbatim(s, tag);
  if (VOID_TAGS.has(tag.name) || tag.name.startsWith('@')) return voidTag(s, tag);
  if (!(tag.name in CONTAINERS)) return verbatim(s, tag);
  return openTag(s, tag);
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
function closeCaptions(s: Scan): void {
  const open = top(s);
  if (open.tag && CLOSED_BY_OTHERS.has(open.tag.name)) closeTo(s, s.stack.length - 1);
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

function finish(s: Scan, open: Token, end: number): void {
  open.closeStart = s.text;
  open.closeCut = s.fresh ? s.lineStart : s.text;
  open.end = end;
  closeTo(s, s.stack.indexOf(open));
  s.fresh = false;
  s.leaf = null;
}

export function openDetails(s: Scan, matched: number, end: number): Started {
  if ((s.stack[matched - 1]?.depth ?? 0) + 2 > MAX_DEPTH) return 'none';
  settle(s, matched);
  closeCaptions(s);
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
