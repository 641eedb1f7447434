import type { BlockNode, JSONDocument, UpdateBlock } from '../nodes.ts';
import { headingLevel } from './sections.ts';
import { ownText } from './text.ts';
import { eachBlock } from '../walk.ts';

/** An entry of a change log. */
export interface Update {
  readonly date: string | undefined;
  /** Its first heading with an anchor. */
  readonly heading: { readonly id: string; readonly title: string } | undefined;
  /** The beginning of its text. */
  readonly text: string;
}

/** The first updates of a document, with up to `maxText` characters. Updates may be nested: each has the text of those in it. */
export function updatesIn({ nodes }: JSONDocument, maxUpdates: number, maxText: number): Update[] {
  const updates: UpdateBlock[] = [];
  eachBlock(nodes, (block) => {
    if (block.type === 'update' && updates.length < maxUpdates) updates.push(block);
  });
  return updates.map((update) => ({
    date: update.data?.date,
    heading: firstHeading(update.nodes ?? []),
    text: startOfText(update.nodes ?? [], maxText),
  }));
}

function firstHeading(blocks: readonly BlockNode[]): Update['heading'] {
  let found: Update['heading'];
  eachBlock(blocks, (block) => {
    if (found || headingLevel(block) === 0 || block.meta?.id === undefined) return;
    found = { id: block.meta.id, title: (ownText(block) ?? '').trim() };
  });
  return found;
}

function startOfText(blocks: readonly BlockNode[], maxLength: number): string {
  let text = '';
  eachBlock(blocks, (block) => {
    if (text.length >= maxLength) return;
    const own = ownText(block);
    if (own) text += text === '' ? own : `\n${own}`;
  });
  return text.slice(0, maxLength);
}
