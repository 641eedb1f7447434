import { parseDocument as parseYaml } from 'yaml';
import type { Warning } from './scan/token.ts';

/** The page fields that may stand before the text, in YAML. What is not known here is kept and not looked at. */
export interface Frontmatter {
  readonly title?: string;
  readonly description?: string;
  readonly icon?: string;
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

export type FrontmatterName = keyof Frontmatter;

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

const TEXTS = new Set<string>(['title', 'description', 'icon', 'cover', 'if']);

/** One top-level key with all its lines. Offsets are into the frontmatter block. */
export interface FieldLines {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const KEY =
  /^(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#:'"[\]{},&*!|>%@`-][^:\r\n]*|-[^\s:][^:\r\n]*))[ \t]*:(?=[ \t\r\n]|$)/;

/** The lines of each top-level key. Comments and blank lines belong to no key, unless the value goes on behind them. */
export function fieldLines(block: string): FieldLines[] {
  const fields: { name: string; start: number; end: number }[] = [];
  const lines = [...block.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)].filter(([line]) => line !== '');
  for (const match of lines.slice(1, -1)) {
    const line = match[0];
    const key = KEY.exec(line);
    const last = fields.at(-1);
    if (key) {
      fields.push({
        name: (key[1] ?? key[2] ?? key[3] ?? '').trim(),
        start: match.index,
        end: match.index + line.length,
      });
    } else if (last && /^(?:[ \t]+\S|-(?:[ \t]|[\r\n]|$))/.test(line)) last.end = match.index + line.length;
  }
  return fields;
}

const MAX_YAML = 65_536;

/** Never throws: what cannot be read is kept as text where the field is one, and reported. */
export function readFrontmatter(block: string): { fields: Frontmatter; warnings: Warning[] } {
  const fields: Record<string, unknown> = {};
  const warnings: Warning[] = [];
  if (block.length < 4) return { fields, warnings };
  const seen = new Set<string>();
  for (const { name, start, end } of fieldLines(block)) {
    const warn = (message: string): void => {
      warnings.push({ kind: 'frontmatter', message: `${name}: ${message}`, start, end });
    };
    if (seen.has(name)) warn('stands twice; the first counts.');
    if (seen.has(name) || !Object.hasOwn(FIELDS, name)) continue;
    seen.add(name);
    const read = valueOf(block.slice(start, end), name);
    if (read.problem !== undefined) warn(read.problem);
    const { is, what } = FIELDS[name as FrontmatterName];
    if (read.value === undefined || read.value === null) continue;
    if (is(read.value)) fields[name] = read.value;
    else warn(`is not ${what}, and is kept as it is.`);
  }
  return { fields, warnings };
}

const PLAIN =
  /^[^:\r\n]+:[ \t]+([A-Za-z](?:[^:#\r\n\\"']|:(?=\S)|#(?<=\S#)|'(?<=\S'))*?)[ \t]*(?:\r\n?|\n|$)$/;
const WORDS = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

function valueOf(text: string, name: string): { value?: unknown; problem?: string } {
  const plain = PLAIN.exec(text)?.[1];
  if (plain !== undefined && !WORDS.test(plain)) return { value: plain };
  if (text.length > MAX_YAML) return { problem: 'is too long to be read, and is kept as it is.' };
  try {
    const document = parseYaml(text, { strict: false, logLevel: 'silent', uniqueKeys: false });
    const [error] = document.errors;
    if (!error) {
      const value = (document.toJS({ maxAliasCount: 50 }) as Record<string, unknown> | null)?.[name];
      return {
        value:
          TEXTS.has(name) && (typeof value === 'number' || typeof value === 'bigint') ? rawText(text) : value,
      };
    }
    return { ...rescued(text, name), problem: `is not valid YAML (${firstLine(error.message)}).` };
  } catch (error) {
    return { ...rescued(text, name), problem: `is not valid YAML (${firstLine(String(error))}).` };
  }
}

const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 120);

const rawText = (text: string): string => text.slice(text.indexOf(':') + 1).trim();

/** `description: Read this: it matters` is no YAML, but what was meant is plain. */
function rescued(text: string, name: string): { value?: unknown } {
  const raw = rawText(text).replace(/\s*[\r\n]+\s*/g, ' ');
  return TEXTS.has(name) && raw !== '' ? { value: raw } : {};
}
