import {
  NODE,
  plainTextNode,
  textOfInlines,
  type CodeBlock,
  type CodeData,
  type CodeLineBlock,
} from '../../document/index.ts';
import { plain } from '../read/inlines/destination.ts';
import type { Reading } from '../read/reading.ts';
import { valueOf } from '../scan/syntax/template-tag.ts';
import type { Token } from '../scan/token.ts';
import { escapeAttribute, escapeHtml } from '../write/escape.ts';
import {
  defined,
  flag,
  wrapped,
  type BlockWriter,
  type MarkdownBlocks,
  type ReadBlock,
  type ReadTag,
  writtenByContainer,
} from './kind.ts';
import { oneOf } from './one-of.ts';

export function codeLines({ src, work }: Reading, lines: readonly number[], key: string): CodeLineBlock[] {
  // A line is two offsets, and two nodes.
  work.spend(lines.length * NODE);
  const nodes: CodeLineBlock[] = [];
  for (let index = 0; index < lines.length; index += 2) {
    const lineKey = `${key}/${index / 2}`;
    const text = src.slice(lines[index], lines[index + 1]);
    nodes.push({
      object: 'block',
      type: 'code-line',
      key: lineKey,
      data: {},
      nodes: [plainTextNode(text, `${lineKey}/0`)],
    });
  }
  return nodes;
}

const INFO = /^([^\s`{]*)/;

function syntaxOf(token: Token): CodeData {
  const syntax = INFO.exec(token.name.slice(1))?.[1];
  return syntax ? { syntax: plain(syntax) } : {};
}

export const readCode: ReadBlock = (reader, token, key) => [
  {
    object: 'block',
    type: 'code',
    key,
    data: syntaxOf(token),
    nodes: codeLines(reader.reading, token.lines ?? [], key),
  },
];

/** `{% code title="" overflow="wrap" %}` around one block of code. */
const readCodeTag: ReadTag = (reader, token, _key, tag) => {
  const blocks = reader.blocks(token.children ?? [], true);
  const first = blocks.find((block) => block.type === 'code' && block.data?.verbatim !== true);
  if (first?.type !== 'code') return undefined;
  const lines = Number(valueOf(tag, 'collapsedLineCount'));
  const { data = {} } = first;
  first.data = defined({
    ...data,
    title: valueOf(tag, 'title') ?? data.title,
    overflow: oneOf(valueOf(tag, 'overflow'), ['wrap', 'scroll']) ?? data.overflow,
    lineNumbers: flag(valueOf(tag, 'lineNumbers')) ?? data.lineNumbers,
    fullWidth: flag(valueOf(tag, 'fullWidth')) ?? data.fullWidth,
    expandable: flag(valueOf(tag, 'expandable')) ?? data.expandable,
    collapsedLineCount: Number.isInteger(lines) && lines > 0 ? lines : data.collapsedLineCount,
  });
  return blocks;
};

function writeCode(writer: BlockWriter, block: CodeBlock): string {
  const {
    syntax = '',
    title,
    overflow,
    lineNumbers,
    fullWidth,
    expandable,
    collapsedLineCount,
    verbatim,
  } = block.data ?? {};
  if (verbatim === true) return linesOf(block).join('\n');
  const isPlain = (block.nodes ?? []).every(
    ({ data, nodes = [] }) => data?.highlighted !== true && nodes.every((node) => node.object === 'text'),
  );
  const wrapper = { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount };
  const body = isPlain && /^[^\s`~{&\\]*$/.test(syntax) ? fence(linesOf(block), syntax) : pre(writer, block);
  return Object.values(wrapper).some((value) => value !== undefined) ? wrapped('code', wrapper, body) : body;
}

const linesOf = ({ nodes = [] }: CodeBlock): string[] => nodes.map((line) => textOfInlines(line.nodes));

function fence(lines: readonly string[], syntax: string): string {
  let longest = 2;
  for (const line of lines) {
    for (const [run] of line.matchAll(/`+/g)) if (run.length > longest) longest = run.length;
  }
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${syntax}\n${lines.map((line) => `${line}\n`).join('')}${ticks}`;
}

/** HTML, where lines are highlighted or hold an inline, and in cells, where `attributes` take the place of the tag. */
function pre(writer: BlockWriter, block: CodeBlock, attributes = ''): string {
  const syntax = block.data?.syntax;
  const language = syntax === undefined ? '' : escapeAttribute(syntax);
  const start =
    syntax === undefined
      ? `<pre${attributes}><code>`
      : `<pre class="language-${language}"${attributes}><code class="lang-${language}">`;
  const lines = (block.nodes ?? []).map((line) => {
    const content = (line.nodes ?? []).map((node) =>
      node.object === 'text' ? escapeHtml(textOfInlines([node])) : writer.htmlInlines([node]),
    );
    return { text: content.join(''), highlighted: line.data?.highlighted === true };
  });
  const body = lines
    .map(({ text, highlighted }) => (highlighted ? `<strong>${text}\n</strong>` : `${text}\n`))
    .join('');
  return `${start}${body}</code></pre>`;
}

/** Cells cannot contain `{% code %}`: attributes take its place. */
export function preInCell(writer: BlockWriter, block: CodeBlock): string {
  const { title, overflow, lineNumbers, fullWidth, expandable } = block.data ?? {};
  const attributes = Object.entries({
    'data-title': title,
    'data-overflow': overflow,
    'data-line-numbers': lineNumbers,
    'data-full-width': fullWidth === true ? true : undefined,
    'data-expandable': expandable,
  }).filter(([, value]) => value !== undefined);
  const written = attributes.map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`);
  return pre(writer, block, written.join(''));
}

export const code = {
  code: { tags: { code: { end: 'required', read: readCodeTag } }, write: writeCode },
  'code-line': writtenByContainer,
} satisfies Partial<MarkdownBlocks>;
