import { parse } from '../parse.ts';
import { sameDocument, type BlockNode, type JSONDocument, type Resolve } from '../../document/index.ts';
import type { RewriteLevels } from './rewrite-levels.ts';
import { contentOf, holdsBlocks, replaceContent } from './container-wrapper.ts';
import type { OriginalSource } from './original-source.ts';
import { toMarkdown, type WriteOptions } from '../write/writer.ts';

interface RepresentOptions extends WriteOptions {
  readonly resolve?: Resolve;
}

/** Blocks as Markdown can represent them. The rest is lost in writing, and must not be expected when reading back. */
export function representable(
  blocks: readonly BlockNode[],
  originalSource: OriginalSource,
  options: RepresentOptions,
  levels: RewriteLevels,
): BlockNode[] {
  return blocks.flatMap((block) => {
    if (originalSource.block(block) !== undefined) return [block];
    const represented = holdsBlocks(block)
      ? [replaceContent(block, representable(contentOf(block), originalSource, options, levels))]
      : writtenAlone(block, options);
    for (const one of represented) levels.replaces(one, block);
    return represented;
  });
}

function writtenAlone(block: BlockNode, options: RepresentOptions): BlockNode[] {
  const alone: JSONDocument = { object: 'document', data: {}, nodes: [block] };
  const { document } = parse(toMarkdown(alone, options), options.resolve);
  return sameDocument(document, alone) ? [block] : document.nodes;
}
