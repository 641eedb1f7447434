import { PAGE_FIELDS, type FrontmatterShapes, type PageFieldShape } from '../tree/index.ts';
import { marksIn } from '../yaml.ts';
import { readValue } from './frontmatter-value.ts';
import { isLineEnd, trimEnd } from './scan/syntax/chars.ts';
import type { Warning } from './scan/token.ts';

type Map = Readonly<Record<string, unknown>>;

/** The value of a page field by its shape, as it is written. */
interface Written {
  readonly title: string;
  readonly label: string;
  readonly slug: string;
  readonly text: string;
  readonly expression: string | boolean;
  readonly flag: boolean;
  readonly variables: Map;
  readonly tags: readonly unknown[];
  readonly layout: Map;
  readonly cover: string | Map;
}

interface OtherFields {
  readonly coverY?: number;
  readonly coverHeight?: number;
  readonly metadata?: Map;
}

/** Page fields in YAML frontmatter. Unknown fields are preserved, and ignored. */
export type Frontmatter = OtherFields & {
  readonly [N in keyof FrontmatterShapes]?: Written[FrontmatterShapes[N]];
};

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isMap: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList: Check = (value) => Array.isArray(value);

interface Rule {
  readonly is: Check;
  readonly what: string;
  /** A value that YAML cannot read is used as text. */
  readonly isText?: true;
}

const TEXT: Rule = { is: isText, what: 'text', isText: true };
const MAP: Rule = { is: isMap, what: 'a map' };

const RULES: Readonly<Record<PageFieldShape, Rule>> = {
  title: TEXT,
  label: TEXT,
  slug: TEXT,
  text: TEXT,
  expression: { is: (value) => isText(value) || isFlag(value), what: 'an expression', isText: true },
  flag: { is: isFlag, what: 'true or false' },
  variables: MAP,
  tags: { is: isList, what: 'a list' },
  layout: MAP,
  cover: { is: (value) => isText(value) || isMap(value), what: 'a path', isText: true },
};

const OTHER_RULES: Readonly<Record<keyof OtherFields, Rule>> = {
  coverY: { is: isNumber, what: 'a number' },
  coverHeight: { is: isNumber, what: 'a number' },
  metadata: MAP,
};

const RULE_OF: ReadonlyMap<string, Rule> = new Map([
  ...Object.values(PAGE_FIELDS).flatMap(({ frontmatter, shape }) =>
    frontmatter === undefined ? [] : [[frontmatter, RULES[shape]] as const],
  ),
  ...Object.entries(OTHER_RULES),
]);

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
    const rule = RULE_OF.get(name);
    if (seen.has(name) || rule === undefined) continue;
    seen.add(name);
    const text = block.slice(start, end);
    const read = readValue(text, name, rule.isText === true, left);
    left -= marksIn(text);
    if (read.problem !== undefined) warn(read.problem);
    if (read.value === undefined || read.value === null) continue;
    if (rule.is(read.value)) fields[name] = read.value;
    else warn(`is not ${rule.what} and is stored unchanged.`);
  }
  return { fields, warnings };
}
