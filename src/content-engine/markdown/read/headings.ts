import { normalize } from '../../normalize.ts';
import {
  expandableTitle,
  textOfInlines,
  type ExpandableBlock,
  type HeadingBlock,
  type InlineContent,
  type TabBlock,
} from '../../document/index.ts';

/** The page title is `#`, so `##` is the first level of the body; what has no level of its own takes the nearest. */
const TYPES = ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3'] as const;

const VALID_ID = /^[-a-z0-9.+_]+$/;

export function headingBlock(
  level: number,
  key: string,
  nodes: InlineContent[],
  id: string | undefined,
): HeadingBlock {
  const block: HeadingBlock = {
    object: 'block',
    type: TYPES[level - 1] ?? 'heading-3',
    key,
    data: {},
    nodes,
  };
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
  normalize(
    normalize(text, 'NFKD')
      .replace(/[\u0300-\u036f'’‘"“”]/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}._+]+/gu, '-'),
  );

/** The length of an anchor that is made from a heading. Search stores anchors many times, and a heading may have 2 MB. */
const MAX_SLUG = 1000;

/**
 * A slug as used in addresses, by the rules of the flavour: letters and digits of any script, dots, `+` and `_`, all else
 * one hyphen; one that would begin with a digit begins with `id-`.
 */
export function slugOf(whole: string): string {
  const text = whole.slice(0, MAX_SLUG);
  const slug = (ASCII.test(text) ? slugOfAscii(text) : slugOfAny(text)).replace(/^-|-$/g, '');
  if (slug === '') return 'section';
  return /^\d/.test(slug) ? `id-${slug}` : slug;
}

type Part = TabBlock | ExpandableBlock;

/**
 * Assigns anchors: explicit ids first, then slugs; those that are taken are numbered. Tabs and expandables come after all
 * headings, so that they never change the anchor of a heading.
 */
export function assignAnchors(headings: readonly HeadingBlock[], parts: readonly Part[]): void {
  const blocks = [...headings, ...parts];
  const taken = new Set<string>();
  const repeated = new Set<HeadingBlock | Part>();
  for (const block of blocks) {
    const id = block.meta?.id;
    if (id && taken.has(id)) repeated.add(block);
    else if (id) taken.add(id);
  }
  const counts = new Map<string, number>();
  for (const block of blocks) {
    if (block.meta?.id && !repeated.has(block)) continue;
    const slug = block.meta?.id ?? slugOf(titleOf(block));
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (taken.has(id)) id = `${slug}-${++count}`;
    counts.set(slug, count);
    taken.add(id);
    block.meta = { id };
  }
}

function titleOf(block: HeadingBlock | Part): string {
  if (block.type === 'tabs-item') return block.data?.title ?? '';
  return textOfInlines(block.type === 'expandable' ? expandableTitle(block)[0]?.nodes : block.nodes);
}
