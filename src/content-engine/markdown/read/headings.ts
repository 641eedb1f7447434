import type { BlockNode, InlineContent } from '../document.ts';
import { textOfInlines } from '../text.ts';

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
    .replace(/[^a-z0-9_]+/g, '-');

const slugOfAny = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’‘"“”]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .normalize('NFC');

/** A slug as used in addresses: letters and digits of any script, joined by hyphens. */
export function slugOf(text: string): string {
  const slug = (ASCII.test(text) ? slugOfAscii(text) : slugOfAny(text)).replace(/^-|-$/g, '');
  return slug === '' ? 'section' : slug;
}

/** Gives every heading its anchor: the ids that were written first, then slugs, numbered where they are taken. */
export function assignAnchors(headings: readonly BlockNode[]): void {
  const taken = new Set<string>();
  for (const { meta } of headings) if (meta?.id) taken.add(meta.id);
  const counts = new Map<string, number>();
  for (const heading of headings) {
    if (heading.meta?.id) continue;
    const slug = slugOf(textOfInlines((heading.nodes ?? []) as InlineContent[]));
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (taken.has(id)) id = `${slug}-${++count}`;
    counts.set(slug, count);
    taken.add(id);
    heading.meta = { id };
  }
}
