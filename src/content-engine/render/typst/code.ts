import { blocksOf, inlinesOf, stringOf } from '../../document/nodes.ts';
import type { BlockNode } from '../../markdown/index.ts';
import { textOfInlines } from '../../document/text.ts';
import { highlight, type Token } from '../../highlight/index.ts';
import { inlines } from './inlines.ts';
import { literal, words } from './literal.ts';
import type { Typesetter } from './context.ts';

/** Highlighted code. Lines longer than the page are wrapped. */
export const code: Typesetter = (setting, block) => {
  const lines = blocksOf(block);
  const texts = lines.map((line) => textOfInlines(inlinesOf(line)).replaceAll('\t', '    '));
  const highlighted = highlight(texts, stringOf(block.data, 'syntax') ?? '');
  const shown = lines.map((line, index) => {
    const content = isPlain(line) ? run(highlighted[index] ?? []) : inlines(setting, inlinesOf(line));
    return `(${line.data?.['highlighted'] === true}, [${content}])`;
  });
  const title = words(stringOf(block.data, 'title') ?? '');
  const numbered = block.data?.['lineNumbers'] === true;
  return `#code([${title}], ${numbered}, ${literal(texts.join('\n'))}, ${shown.join(', ')})`;
};

const isPlain = (line: BlockNode): boolean => inlinesOf(line).every((node) => node.object === 'text');

const run = (tokens: readonly Token[]): string =>
  tokens.map(({ kind, text }) => (kind === undefined ? words(text) : `#${kind}[${words(text)}]`)).join('');
