import {
  blocksOf,
  inlinesOf,
  plainTextNode,
  stringOf,
  type BlockNode,
  type Data,
} from '../../document/nodes.ts';
import { NODE } from '../../document/limits.ts';
import type { Reading } from '../read/reading.ts';
import { valueOf, type Tag } from '../scan/tag.ts';
import type { Token } from '../scan/token.ts';
import { textOfInlines } from '../../document/text.ts';
import { escapeAttribute, escapeHtml } from '../write/escape.ts';
import { defined, flag, wrapped, type BlockKind, type BlockWriter } from './kind.ts';

export function codeLines({ src, work }: Reading, lines: readonly number[], key: string): BlockNode[] {
  // A line is two offsets, and two nodes.
  work.spend(lines.length * NODE);
  const nodes: BlockNode[] = [];
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

function syntaxOf(token: Token): Data {
  const syntax = INFO.exec(token.name.slice(1))?.[1];
  return syntax ? { syntax } : {};
}

export const code: BlockKind = {
  type: 'code',
  token: 'fence',
  read: (reader, token, key) => [
    {
      object: 'block',
      type: 'code',
      key,
      data: syntaxOf(token),
      nodes: codeLines(reader.reading, token.lines ?? [], key),
    },
  ],
  write: writeCode,
};

export const indentedCode: BlockKind = { ...code, token: 'indented' };

/** `{% code title="" overflow="wrap" %}` around one block of code. */
export const codeWrapper: BlockKind = {
  type: 'code',
  tag: 'code',
  read: (reader, token) => {
    const blocks = reader.blocks(token.children ?? [], true);
    const first = blocks.find((block) => block.type === 'code' && block.data?.['verbatim'] !== true);
    if (!first) return undefined;
    const tag = token.tag as Tag;
    const overflow = valueOf(tag, 'overflow');
    const lines = Number(valueOf(tag, 'collapsedLineCount'));
    first.data = defined({
      ...first.data,
      title: valueOf(tag, 'title') ?? first.data?.['title'],
      overflow: overflow === 'wrap' || overflow === 'scroll' ? overflow : first.data?.['overflow'],
      lineNumbers: flag(valueOf(tag, 'lineNumbers')) ?? first.data?.['lineNumbers'],
      fullWidth: flag(valueOf(tag, 'fullWidth')) ?? first.data?.['fullWidth'],
      expandable: flag(valueOf(tag, 'expandable')) ?? first.data?.['expandable'],
      collapsedLineCount: Number.isInteger(lines) && lines > 0 ? lines : first.data?.['collapsedLineCount'],
    });
    return blocks;
  },
  write: writeCode,
};

function writeCode(writer: BlockWriter, block: BlockNode): string {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount, verbatim } =
    block.data ?? {};
  if (verbatim === true) return linesOf(block).join('\n');
  const plain = blocksOf(block).every(
    (line) => line.data?.['highlighted'] !== true && inlinesOf(line).every((node) => node.object === 'text'),
  );
  const wrapper = { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount };
  const body =
    plain && fenceable(syntax)
      ? fence(linesOf(block), stringOf(block.data, 'syntax') ?? '')
      : pre(writer, block);
  return Object.values(wrapper).some((value) => value !== undefined) ? wrapped('code', wrapper, body) : body;
}

const fenceable = (syntax: unknown): boolean =>
  syntax === undefined || (typeof syntax === 'string' && /^[^\s`~{]*$/.test(syntax));

const linesOf = (block: BlockNode): string[] => blocksOf(block).map((line) => textOfInlines(inlinesOf(line)));

function fence(lines: readonly string[], syntax: string): string {
  let longest = 2;
  for (const line of lines) {
    for (const [run] of line.matchAll(/`+/g)) if (run.length > longest) longest = run.length;
  }
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${syntax}\n${lines.map((line) => `${line}\n`).join('')}${ticks}`;
}

/** HTML, where lines are highlighted or hold an inline, and in cells, where `attributes` take the place of the tag. */
function pre(writer: BlockWriter, block: BlockNode, attributes = ''): string {
  const syntax = stringOf(block.data, 'syntax');
  const language = syntax === undefined ? '' : escapeAttribute(syntax);
  const start =
    syntax === undefined
      ? `<pre${attributes}><code>`
      : `<pre class="language-${language}"${attributes}><code class="lang-${language}">`;
  const lines = blocksOf(block).map((line) => {
    const content = inlinesOf(line).map((node) =>
      node.object === 'text' ? escapeHtml(textOfInlines([node])) : writer.htmlInlines([node]),
    );
    return { text: content.join(''), highlighted: line.data?.['highlighted'] === true };
  });
  const body = lines
    .map(({ text, highlighted }) => (highlighted ? `<strong>${text}\n</strong>` : `${text}\n`))
    .join('');
  return `${start}${body}</code></pre>`;
}

/** `{% code %}` has no place in a cell: what it says is said by attributes. */
export function preInCell(writer: BlockWriter, block: BlockNode): string {
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
