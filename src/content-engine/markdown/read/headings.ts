import type { BlockNode, InlineContent } from '../../document/nodes.ts';
import { textOfInlines } from '../../document/text.ts';

/** The page title is `#`, so `##` is the first level of the body; what has no level of its own takes the nearest. */
const TYPES = ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3'] as const;

const VALID_ID = /^[-a-z0-9.+_]+$/;

export function headingBlock(
  level: number,
  key: string,
  nodes: InlineContent[],
  id: string | undefined,
): BlockNode {
  const block: BlockNode = { object: 'block', type: TYPES[level - 1] ?? 'heading-3', key, data: {}, nodes };
  if (id) {
    if (VALID_ID.test(id)) block.data = { id };
    block.meta = { id };
  }
  return block;
}

const ASCII = /^[ -~]*$/;

const slugOfAscii = (text: string): string =>
  text
    .replace(/['"]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9._+]+/g, '-');

const slugOfAny = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’‘"“”]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._+]+/gu, '-')
    .normalize('NFC');

/**
 * A slug as used in addresses, by the rules of the flavour: letters and digits of any script, dots, `+` and `_`, all else
 * one hyphen; one that would begin with a digit begins with `id-`.
 */
export function slugOf(text: string): string {
  const slug = (ASCII.test(text) ? slugOfAscii(text) : slugOfAny(text)).replace(/^-|-$/g, '');
  if (slug === '') return 'section';
  return /^\d/.test(slug) ? `id-${slug}` : slug;
}

/**
 * Gives every heading its anchor: the ids that were written first, then slugs, numbered where they are taken; an id that
 * was written twice is numbered too. Tabs and
 * expandables come after all headings, so that they never change the anchor of one.
 */
export function assignAnchors(headings: readonly BlockNode[], parts: readonly BlockNode[]): void {
  const taken = new Set<string>();
  const again = new Set<BlockNode>();
  for (const block of [...headings, ...parts]) {
    const id = block.meta?.id;
    if (id && taken.has(id)) again.add(block);
    else if (id) taken.add(id);
  }
  const counts = new Map<string, number>();
  for (const block of [...headings, ...parts]) {
    if (block.meta?.id && !again.has(block)) continue;
    const slug = block.meta?.id ?? slugOf(wordsOf(block));
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (taken.has(id)) id = `${slug}-${++count}`;
    counts.set(slug, count);
    taken.add(id);
    block.meta = { id };
  }
}

function wordsOf(block: BlockNode): string {
  if (block.type === 'tabs-item') return String(block.data?.['title'] ?? '');
  const nodes = block.type === 'expandable' ? block.fragments?.[0]?.nodes[0]?.nodes : block.nodes;
  return textOfInlines((nodes ?? []) as InlineContent[]);
}
