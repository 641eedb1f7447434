import { splitSource } from '../../markdown/index.ts';

/** One entry of SUMMARY.md, as written. */
export type SummaryItem = {
  /** Offsets of its lines, the last line end included. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** Its lines without the indentation of the first. */
  readonly text: string;
} & (
  | { readonly kind: 'group'; readonly title: string; readonly slug: string | undefined }
  | { readonly kind: 'divider' }
  | {
      readonly kind: 'entry';
      readonly indent: number;
      readonly title: string;
      readonly href: string | undefined;
      readonly label: string | undefined;
    }
  | { readonly kind: 'computed'; readonly indent: number; readonly yaml: string }
);

const HEADING = /^ {0,3}(#{1,6})[ \t](.*)$/s;
const DIVIDER = /^ {0,3}([*_-])(?:[ \t]*\1){2,}[ \t]*$/;
const ITEM = /^([ \t]*)((?:[*+-]|\d{1,9}[.)])[ \t]+)([^ \t].*)?$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const LINK =
  /^\[((?:\\.|[^\\[\]]|\[(?:\\.|[^\\[\]])*\])*)\]\([ \t]*(?:(?:<((?:\\.|[^\\<>])*)>|((?:\\.|[^\\\s()<]|\((?:\\.|[^\\\s()])*\))+))(?:[ \t]+(?:(?:"((?:\\.|[^\\"])*)"|'((?:\\.|[^\\'])*)')[ \t]*)?)?)?\)/;
/** The parts of a line with a link, as written. */
export const ENTRY =
  /^(?<marker>[ \t]*(?:[*+-]|\d{1,9}[.)])[ \t]+)\[(?<title>(?:\\.|[^\\[\]]|\[(?:\\.|[^\\[\]])*\])*)\]\([ \t]*(?:(?<target><(?:\\.|[^\\<>])*>|(?:\\.|[^\\\s()<]|\((?:\\.|[^\\\s()])*\))+)(?:[ \t]+(?:(?<label>"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*')[ \t]*)?)?)?\)(?<rest>[\s\S]*)$/;
const ANCHOR = /<a\b[^<>]*\bid="([^"<>]*)"[^<>]*>(?:<\/a>)?[ \t]*$/;

/** Longer lines are no entries, which bounds the cost of the patterns for hostile files. */
const MAX_LINE_LENGTH = 4096;

/** A longer block of code is no entry: its YAML could not be read. */
const MAX_BLOCK_LINES = 5000;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A line that may be an entry, or several: a comment, or a block of code. */
interface Block {
  readonly number: number;
  readonly item: RegExpExecArray | null;
  readonly fence: string | undefined;
  readonly isComment: boolean;
  readonly lines: Line[];
}

/**
 * The entries in order, at most `maxItems`. All other lines are ignored. Lines are cut from the text one by one: a list of
 * them would be much larger than the text.
 */
export function parseSummary(text: string, maxItems = Number.POSITIVE_INFINITY): SummaryItem[] {
  const lastCommentEnd = text.lastIndexOf('-->');
  const items: SummaryItem[] = [];
  let block: Block | undefined;
  let number = 0;
  for (const line of linesOf(text)) {
    number++;
    const isFirst = block === undefined;
    block ??= startBlock(line, number, line.start <= lastCommentEnd);
    if (!isFirst && block.item !== null && block.lines.length <= MAX_BLOCK_LINES) block.lines.push(line);
    if (!isLast(block, line, isFirst) && line.end < text.length) continue;
    const item = readBlock(block, line.end);
    block = undefined;
    if (item === undefined) continue;
    items.push(item);
    if (items.length === maxItems) break;
  }
  return items;
}

function* linesOf(text: string): Iterable<Line> {
  const lineEnd = /\r\n?|\n/g;
  for (let start = 0; start < text.length; start = lineEnd.lastIndex) {
    const match = lineEnd.exec(text);
    const end = match === null ? text.length : lineEnd.lastIndex;
    yield { start, end, text: text.slice(start, match?.index) };
    if (match === null) return;
  }
}

function startBlock(line: Line, number: number, mayBeComment: boolean): Block {
  const text = boundedText(line);
  const item = ITEM.exec(text);
  const fence = FENCE.exec(item && !DIVIDER.test(text) ? (item[3] ?? '') : text)?.[1];
  const isComment = mayBeComment && fence === undefined && line.text.trimStart().startsWith('<!--');
  return { number, item, fence, isComment, lines: [line] };
}

/** Whether a block ends with this line. */
function isLast({ fence, isComment }: Block, { text }: Line, isFirst: boolean): boolean {
  if (fence !== undefined) return !isFirst && text.trim().startsWith(fence);
  return !isComment || text.includes('-->');
}

function readBlock({ number, item, fence, isComment, lines }: Block, end: number): SummaryItem | undefined {
  const [first] = lines;
  if (first === undefined || isComment || lines.length > MAX_BLOCK_LINES) return undefined;
  const content = parseItem(lines, item, fence);
  if (content === undefined) return undefined;
  const text = dedent(lines, widthOf(item?.[1] ?? '')).join('\n');
  return { ...content, start: first.start, end, line: number, text };
}

type ItemContent = SummaryItem extends infer I
  ? I extends unknown
    ? Omit<I, 'start' | 'end' | 'line' | 'text'>
    : never
  : never;

function parseItem(
  lines: readonly Line[],
  item: RegExpExecArray | null,
  fence: string | undefined,
): ItemContent | undefined {
  const line = boundedText(lines[0]);
  if (DIVIDER.test(line)) return { kind: 'divider' };
  const heading = HEADING.exec(line);
  if (heading !== null) return heading[1] === '#' ? undefined : group(heading[2] ?? '');
  if (item === null) return undefined;
  const indent = widthOf(item[1] ?? '');
  if (fence !== undefined) {
    const inside = dedent(lines.slice(1), indent + (item[2] ?? '').length);
    const isClosed = (inside.at(-1) ?? '').trim().startsWith(fence);
    return { kind: 'computed', indent, yaml: inside.slice(0, isClosed ? -1 : undefined).join('\n') };
  }
  const link = LINK.exec(item[3] ?? '');
  if (link === null)
    return { kind: 'entry', indent, title: plainTextOf(item[3] ?? ''), href: undefined, label: undefined };
  const label = link[4] ?? link[5];
  return {
    kind: 'entry',
    indent,
    title: plainTextOf(link[1] ?? ''),
    href: (link[2] ?? link[3] ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1'),
    label: label === undefined ? undefined : plainTextOf(label),
  };
}

const boundedText = (line: Line | undefined): string =>
  line === undefined || line.text.length > MAX_LINE_LENGTH ? '' : line.text;

function group(heading: string): ItemContent {
  const anchor = ANCHOR.exec(heading);
  return { kind: 'group', title: plainTextOf(heading.slice(0, anchor?.index)), slug: anchor?.[1] };
}

/** The plain text of one line of Markdown. */
const plainTextOf = (markdown: string): string =>
  /^[^\\`*_<&~$!:[\]{#]*$/.test(markdown) ? markdown.trim() : (splitSource(`# ${markdown}`).titleText ?? '');

function widthOf(indentation: string): number {
  let width = 0;
  for (const char of indentation) width += char === '\t' ? 4 - (width % 4) : 1;
  return width;
}

const dedent = (lines: readonly Line[], width: number): string[] =>
  lines.map(({ text }) => {
    const indentation = /^[ \t]*/.exec(text)?.[0] ?? '';
    return ' '.repeat(Math.max(0, widthOf(indentation) - width)) + text.slice(indentation.length);
  });
