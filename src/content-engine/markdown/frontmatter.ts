import { marksIn } from '../yaml.ts';
import { readValue } from './frontmatter-value.ts';
import { isLineEnd, trimEnd } from './scan/chars.ts';
import type { Warning } from './scan/token.ts';

/** Page fields in YAML frontmatter. Unknown fields are preserved, and ignored. */
export interface Frontmatter {
  readonly title?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly cover?: string | Readonly<Record<string, unknown>>;
  readonly coverY?: number;
  readonly coverHeight?: number;
  readonly layout?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly unknown[];
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly if?: string | boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type FrontmatterName = keyof Frontmatter;

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isMap: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList: Check = (value) => Array.isArray(value);

const FIELDS: Readonly<Record<FrontmatterName, { readonly is: Check; readonly what: string }>> = {
  title: { is: isText, what: 'text' },
  description: { is: isText, what: 'text' },
  icon: { is: isText, what: 'text' },
  emoji: { is: isText, what: 'text' },
  hidden: { is: isFlag, what: 'true or false' },
  noIndex: { is: isFlag, what: 'true or false' },
  noRobotsIndex: { is: isFlag, what: 'true or false' },
  cover: { is: (value) => isText(value) || isMap(value), what: 'a path' },
  coverY: { is: isNumber, what: 'a number' },
  coverHeight: { is: isNumber, what: 'a number' },
  layout: { is: isMap, what: 'a map' },
  tags: { is: isList, what: 'a list' },
  vars: { is: isMap, what: 'a map' },
  if: { is: (value) => isText(value) || isFlag(value), what: 'an expression' },
  metadata: { is: isMap, what: 'a map' },
};

const TEXTS = new Set<string>(['title', 'description', 'icon', 'emoji', 'cover', 'if']);

/** One top-level key with all its lines. Offsets are into the frontmatter block. */
export interface FieldLines {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const KEY =
  /^(?:"([^"\n]+)"[ \t]*|'([^'\n]+)'[ \t]*|([^\s#:'"[\]{},&*!|>%@`-][^:\r\n]*|-[^\s:][^:\r\n]*)):(?=[ \t\r\n]|$)/;

/** A line that begins a value's next line: indented, an entry of a list, or the end of a flow collection. */
const GOES_ON = /^(?:[ \t]+\S|-(?:[ \t]|[\r\n]|$)|[\]}])/;
const NOTHING = /^[ \t]*(?:#|[\r\n]|$)/;

/** Text between two dividers is no frontmatter. */
export const isFrontmatter = (fields: readonly FieldLines[]): boolean =>
  fields.length === 0 || fields.some(({ name }) => name !== '');

const LINE = /[^\r\n]*(?:\r\n?|\n|$)/y;

function lineAt(text: string, at: number): string {
  LINE.lastIndex = at;
  return LINE.exec(text)?.[0] ?? '';
}

/** Where the closing fence begins. */
export function closingStart(block: string): number {
  let at = trimEnd(block, 0, block.length);
  while (at > 0 && !isLineEnd(block.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * The lines of each top-level key. Comments and blank lines belong to no key, unless the value continues after them. Any
 * other line becomes an unnamed field.
 */
export function fieldLines(block: string): FieldLines[] {
  const fields: { name: string; start: number; end: number }[] = [];
  const close = closingStart(block);
  let end = lineAt(block, 0).length;
  while (end < close) {
    const start = end;
    const line = lineAt(block, start);
    end += line.length;
    const key = KEY.exec(line);
    const last = fields.at(-1);
    if (key) {
      fields.push({ name: (key[1] ?? key[2] ?? key[3] ?? '').trim(), start, end });
    } else if (last && GOES_ON.test(line)) last.end = end;
    else if (!NOTHING.test(line) && last?.name === '') last.end = end;
    else if (!NOTHING.test(line)) fields.push({ name: '', start, end });
  }
  return fields;
}

/** Lines and marks of all values that are read: a page is read at once. */
const MAX_MARKS = 2000;

/** Never throws. A value that cannot be read is reported, and used as text where the field is one. */
export function readFrontmatter(
  block: string,
  lines: readonly FieldLines[],
): { fields: Frontmatter; warnings: Warning[] } {
  const fields: Record<string, unknown> = {};
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  let left = MAX_MARKS;
  for (const { name, start, end } of lines) {
    const warn = (message: string): void => {
      warnings.push({ kind: 'frontmatter', message: `${name || 'frontmatter'}: ${message}`, start, end });
    };
    if (name === '') warn('this line is not a field and is stored unchanged.');
    if (seen.has(name)) warn('is duplicated; the first one is used.');
    if (seen.has(name) || !Object.hasOwn(FIELDS, name)) continue;
    seen.add(name);
    const text = block.slice(start, end);
    const read = readValue(text, name, TEXTS.has(name), left);
    left -= marksIn(text);
    if (read.problem !== undefined) warn(read.problem);
    const { is, what } = FIELDS[name as FrontmatterName];
    if (read.value === undefined || read.value === null) continue;
    if (is(read.value)) fields[name] = read.value;
    else warn(`is not ${what} and is stored unchanged.`);
  }
  return { fields, warnings };
}
