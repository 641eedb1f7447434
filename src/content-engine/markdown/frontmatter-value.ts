import { parseDocument as parseYaml } from 'yaml';

/** Most values are plain words, which need no YAML parser. */
const PLAIN = /^[^:\r\n]+:[ \t]+([A-Za-z](?:[^:#\r\n\\"']|:(?=\S)|#(?<=\S#)|'(?<=\S'))*)(?:\r\n?|\n)?$/;
const QUOTED = /^[^:\r\n]+:[ \t]+(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*')[ \t]*(?:\r\n?|\n)?$/;
const WORDS = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

export interface Value {
  readonly value?: unknown;
  readonly problem?: string;
}

/** Reads the lines of one field. `limit`: how long they may be. */
export function readValue(text: string, name: string, isText: boolean, limit: number): Value {
  if (text.length > limit) return { problem: 'is too long to be read, and is kept as it is.' };
  const plain = PLAIN.exec(text)?.[1]?.trimEnd();
  if (plain !== undefined && !WORDS.test(plain)) return { value: plain };
  if (!QUOTED.test(text) && isDeep(text))
    return { problem: 'is nested too deep to be read, and is kept as it is.' };
  try {
    const document = parseYaml(text, {
      strict: false,
      logLevel: 'silent',
      uniqueKeys: false,
      prettyErrors: false,
    });
    const [error] = document.errors;
    if (!error) {
      const value = (document.toJS({ maxAliasCount: 50 }) as Record<string, unknown> | null)?.[name];
      return {
        value: isText && (typeof value === 'number' || typeof value === 'bigint') ? rawText(text) : value,
      };
    }
    return { ...(isText ? rescued(text) : {}), problem: `is not valid YAML (${firstLine(error.message)}).` };
  } catch (error) {
    return { ...(isText ? rescued(text) : {}), problem: `is not valid YAML (${firstLine(String(error))}).` };
  }
}

const MAX_NESTING = 32;

/** `- - - a`, all on one line. */
const ENTRIES_IN_ENTRIES = /(?:[-?:][ \t]+){8}/;

/** The YAML library recurses, and can end the whole process when it does so too deep. */
function isDeep(text: string): boolean {
  let flow = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    flow = Math.max(0, flow + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (flow > MAX_NESTING) return true;
  }
  const indents: number[] = [];
  for (const [, indent = ''] of text.matchAll(/^([ \t]*)\S/gm)) {
    while ((indents.at(-1) ?? -1) >= indent.length) indents.pop();
    indents.push(indent.length);
    if (indents.length > MAX_NESTING) return true;
  }
  return ENTRIES_IN_ENTRIES.test(text);
}

const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 120);

const rawText = (text: string): string => text.slice(text.indexOf(':') + 1).trim();

/** `description: Read this: it matters` is no YAML, but what was meant is plain. */
function rescued(text: string): Value {
  const lines = rawText(text).split(/[\r\n]+/);
  const raw = lines.map((line) => line.trim()).join(' ');
  return raw === '' ? {} : { value: raw };
}
