import { stringify } from 'yaml';
import { closingStart, fieldLines, type Frontmatter } from './frontmatter.ts';
import { splitSource } from './source.ts';

/** Fields to set; `undefined` removes one. Unknown keys are allowed. */
export type FrontmatterChanges = { readonly [K in keyof Frontmatter]?: Frontmatter[K] | undefined } & {
  readonly [key: string]: unknown;
};

/** The text with other page fields. Only the lines of the fields that change are rewritten. */
export function updateFrontmatter(text: string, changes: FrontmatterChanges): string {
  let { frontmatter } = splitSource(text);
  const none = frontmatter.length <= 1;
  const rest = text.slice(frontmatter.length);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  for (const [name, value] of Object.entries(changes)) {
    frontmatter = value === undefined ? removed(frontmatter, name) : replaced(frontmatter, name, value, end);
  }
  return frontmatter + (none && frontmatter.length > 1 ? end : '') + rest;
}

function replaced(block: string, name: string, value: unknown, end: string): string {
  const lines = fieldText(name, value).replaceAll('\n', end);
  const fields = fieldLines(block);
  const old = fields.find((field) => field.name === name);
  if (old) return block.slice(0, old.start) + lines + block.slice(old.end);
  const mark = block.startsWith('\uFEFF') ? '\uFEFF' : '';
  if (block.length <= mark.length) return `${mark}---${end}${lines}---${end}`;
  const close = closingStart(block);
  return block.slice(0, close) + lines + block.slice(close);
}

function removed(block: string, name: string): string {
  const old = fieldLines(block).find((field) => field.name === name);
  if (!old) return block;
  const left = block.slice(0, old.start) + block.slice(old.end);
  const mark = left.startsWith('\uFEFF') ? '\uFEFF' : '';
  return /^\uFEFF?---[ \t]*(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)$/.test(left) ? mark : left;
}

function fieldText(name: string, value: unknown): string {
  return stringify(
    { [name]: value },
    // Text of several lines is written on one, in quotes: otherwise blank lines at its end would be lost.
    {
      lineWidth: 0,
      blockQuote: false,
      doubleQuotedMinMultiLineLength: Infinity,
      aliasDuplicateObjects: false,
    },
  );
}
