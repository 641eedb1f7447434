import { readYaml } from '../yaml.ts';

/** Most values are plain text, which needs no YAML parser. */
const PLAIN = /^[^:\r\n]+:[ \t]+([A-Za-z](?:[^:#\r\n\\"']|:(?=\S)|#(?<=\S#)|'(?<=\S'))*)(?:\r\n?|\n)?$/;
const WORDS = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

export interface Value {
  readonly value?: unknown;
  readonly problem?: string;
}

/** Reads the lines of one field, up to so many lines and marks. */
export function readValue(text: string, name: string, isText: boolean, maxMarks: number): Value {
  const plain = PLAIN.exec(text)?.[1]?.trimEnd();
  if (plain !== undefined && !WORDS.test(plain)) return { value: plain };
  const read = readYaml(text, maxMarks);
  if ('fault' in read) return { ...(isText ? rescued(text) : {}), problem: `is ${read.fault}.` };
  const value = (read.value as Record<string, unknown> | null)?.[name];
  return { value: isText && typeof value === 'number' ? rawText(text) : value };
}

const rawText = (text: string): string => text.slice(text.indexOf(':') + 1).trim();

/** `description: Read this: it matters` is invalid YAML with an obvious meaning. */
function rescued(text: string): Value {
  const lines = rawText(text).split(/[\r\n]+/);
  const raw = lines.map((line) => line.trim()).join(' ');
  return raw === '' ? {} : { value: raw };
}
