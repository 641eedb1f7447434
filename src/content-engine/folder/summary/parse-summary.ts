import { runToEnd } from '../../run-to-end.ts';
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

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The entries in order. All other lines are ignored. */
export const parseSummary = (text: string): SummaryItem[] => runToEnd(parseSummaryInSteps(text));

export function* parseSummaryInSteps(text: string): Generator<void, SummaryItem[], void> {
  const lines: Line[] = Array.from(text.matchAll(/([^\r\n]*)(?:\r\n?|\n)?/g), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[1] ?? '',
  })).filter(({ start, end }) => end > start);
  const lastEnd = lines.findLastIndex(({ text }) => text.includes('-->'));
  const items: SummaryItem[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lineAt(lines, at);
    const item = ITEM.exec(line);
    const fence = FENCE.exec(item && !DIVIDER.test(line) ? (item[3] ?? '') : line)?.[1];
    const next = fence === undefined ? afterComment(lines, at, lastEnd) : afterFence(lines, at, fence);
    const content =
      next > at + 1 && fence === undefined ? undefined : parseItem(lines.slice(at, next), item, fence);
    if (content !== undefined) {
      items.push({
        ...content,
        start: lines[at]?.start ?? 0,
        end: lines[next - 1]?.end ?? text.length,
        line: at + 1,
        text: dedent(lines.slice(at, next), widthOf(item?.[1] ?? '')).join('\n'),
      });
    }
    at = next;
    yield;
  }
  return items;
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
  const line = lineAt(lines, 0);
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

function lineAt(lines: readonly Line[], index: number): string {
  const text = lines[index]?.text ?? '';
  return text.length > MAX_LINE_LENGTH ? '' : text;
}

function group(heading: string): ItemContent {
  const anchor = ANCHOR.exec(heading);
  return { kind: 'group', title: plainTextOf(heading.slice(0, anchor?.index)), slug: anchor?.[1] };
}

/** The plain text of one line of Markdown. */
const plainTextOf = (markdown: string): string =>
  /^[^\\`*_<&~$!:[\]{#]*$/.test(markdown) ? markdown.trim() : (splitSource(`# ${markdown}`).titleText ?? '');

/** The index of the line after a comment that begins here, or of the next line. */
function afterComment(lines: readonly Line[], at: number, lastEnd: number): number {
  if (at > lastEnd || !(lines[at]?.text ?? '').trimStart().startsWith('<!--')) return at + 1;
  return indexFrom(lines, at, (text) => text.includes('-->')) + 1;
}

function afterFence(lines: readonly Line[], at: number, fence: string): number {
  return Math.min(lines.length, indexFrom(lines, at + 1, (text) => text.trim().startsWith(fence)) + 1);
}

/** The index of the first such line at or after `start`, or the number of lines. */
function indexFrom(lines: readonly Line[], start: number, isSuch: (text: string) => boolean): number {
  let index = start;
  while (index < lines.length && !isSuch(lines[index]?.text ?? '')) index++;
  return index;
}

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
