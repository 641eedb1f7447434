import { textOfInlines, type CodeBlock, type CodeLineBlock } from '../../../document/index.ts';
import { highlight, type Token } from '../../../highlight/index.ts';
import { inlines } from '../inlines.ts';
import { literal, words } from '../literal.ts';
import type { Typesetter } from '../context.ts';

/** Highlighted code. Lines longer than the page are wrapped. */
export const code: Typesetter<CodeBlock> = (context, { data, nodes: lines = [] }) => {
  const texts = lines.map((line) => textOfInlines(line.nodes).replaceAll('\t', '    '));
  const highlighted = highlight(texts, data?.syntax ?? '');
  const shown = lines.map((line, index) => {
    const content = isPlain(line) ? run(highlighted[index] ?? []) : inlines(context, line.nodes);
    return `(${line.data?.highlighted === true}, [${content}])`;
  });
  const numbered = data?.lineNumbers === true;
  return `#code([${words(data?.title ?? '')}], ${numbered}, ${literal(texts.join('\n'))}, ${shown.join(', ')})`;
};

const isPlain = ({ nodes = [] }: CodeLineBlock): boolean => nodes.every((node) => node.object === 'text');

const run = (tokens: readonly Token[]): string =>
  tokens.map(({ kind, text }) => (kind === undefined ? words(text) : `#${kind}[${words(text)}]`)).join('');
