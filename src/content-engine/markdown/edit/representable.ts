import { parse } from '../parse.ts';
import { sameDocument, type BlockNode, type JSONDocument, type Resolve } from '../../document/index.ts';
import type { Doubts } from './rewrite-levels.ts';
import { contentOf, holdsBlocks, replaceContent } from './shell.ts';
import type { Spelling } from './spelling.ts';
import { toMarkdown, type WriteOptions } from '../write/writer.ts';

interface Saying extends WriteOptions {
  readonly resolve?: Resolve;
}

/** Blocks as Markdown can say them: what it cannot is lost, and must not be looked for in what was written. */
export function sayable(
  blocks: readonly BlockNode[],
  spelling: Spelling,
  options: Saying,
  doubts: Doubts,
): BlockNode[] {
  return blocks.flatMap((block) => {
    if (spelling.block(block) !== undefined) return [block];
    const said = holdsBlocks(block)
      ? [replaceContent(block, sayable(contentOf(block), spelling, options, doubts))]
      : saidAlone(block, options);
    for (const one of said) doubts.standsFor(one, block);
    return said;
  });
}

function saidAlone(block: BlockNode, options: Saying): BlockNode[] {
  const alone: JSONDocument = { object: 'document', data: {}, nodes: [block] };
  const { document } = parse(toMarkdown(alone, options), options.resolve);
  return sameDocument(document, alone) ? [block] : document.nodes;
}
