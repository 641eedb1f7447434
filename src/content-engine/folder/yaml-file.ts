import { isNode, type Document } from 'yaml';
import { readYaml, readYamlDocument } from '../yaml.ts';
import { lineCounter } from './split-file.ts';

/** Enough for some 3,000 redirects. */
const MAX_MARKS = 6000;

/** What is wrong in a file, and where. */
export interface YamlProblem {
  readonly message: string;
  readonly line?: number;
}

/** Parses a YAML file, or says why it cannot be parsed. */
export function parseYamlFile(text: string): {
  readonly value?: unknown;
  readonly problem?: string;
  readonly line?: number;
} {
  const read = readYaml(text, MAX_MARKS);
  if ('value' in read) return read;
  const { fault, offset } = read;
  return {
    problem: `It is ${fault}`,
    // What is missing at the end belongs to the last line that has text.
    ...(offset === undefined ? {} : { line: lineCounter(text)(Math.min(offset, text.trimEnd().length)) }),
  };
}

export type YamlPath = readonly (string | number)[];

/** `site.structure[0].content`, as messages name a value. */
export const nameOfPath = (path: YamlPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** The nodes of a YAML file, or undefined if `parseYamlFile` says that it cannot be parsed. */
export function parseYamlNodes(text: string): Document | undefined {
  const read = readYamlDocument(text, MAX_MARKS);
  return 'document' in read ? read.document : undefined;
}

/** The lines of values. The text is parsed when a line is asked for. */
export function linesOf(text: string): (path: YamlPath) => number {
  let document: Document | undefined;
  const lineOf = lineCounter(text);
  return (path) => {
    document ??= parseYamlNodes(text);
    for (let length = path.length; length >= 0; length--) {
      const node = document?.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lineOf(node.range[0]);
    }
    return 1;
  };
}

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asMap = (value: unknown): Readonly<Record<string, unknown>> => (isMap(value) ? value : {});

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
