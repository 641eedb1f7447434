import { blocksOf, stringOf } from '../../document/nodes.ts';
import type { BlockNode } from '../../markdown/index.ts';
import { literal, words } from './literal.ts';
import { inside, type Setting, type Typesetter } from './context.ts';

const ALIGNMENTS: Readonly<Record<string, string>> = { left: 'left', right: 'right' };

/** One image, or several side by side. */
export const images: Typesetter = (setting, block) => {
  const all = blocksOf(block).map((image) => one(setting, image, block.data?.['withFrame'] === true));
  if (all.length === 0) return '';
  const align = ALIGNMENTS[stringOf(block.data, 'align') ?? ''] ?? 'center';
  const columns = Math.min(all.length, 3);
  const content =
    columns === 1
      ? all[0]
      : `#grid(columns: (1fr,) * ${columns}, gutter: 1em, ${all.map((image) => `[${image}]`).join(', ')})`;
  return `#align(${align})[${content}]`;
};

function one(setting: Setting, image: BlockNode, framed: boolean): string {
  const fragments = (image.fragments ?? []).filter((fragment) => fragment.fragment === 'caption');
  const caption = setting.blocks(
    inside(setting),
    fragments.flatMap((fragment) => fragment.nodes),
  );
  const alt = stringOf(image.data, 'alt') ?? '';
  const path = setting.picture(image.data?.['ref']);
  if (path === undefined) {
    const shown = alt === '' && caption === '' ? 'Image' : alt;
    return `#figure-of(${shown === '' ? 'none' : `missing[${words(shown)}]`})[${caption}]`;
  }
  const width = lengthOf(image.data?.['width']);
  const height = lengthOf(image.data?.['height']);
  const picture = `picture(${literal(path)}, ${literal(alt)}, ${width}, ${height}, ${framed})`;
  return `#figure-of(${picture})[${caption}]`;
}

/** Pixels of a screen, or a share of the width. */
function lengthOf(value: unknown): string {
  if (typeof value === 'number' && value >= 1 && value < 10_000) return `${value * 0.75}pt`;
  const { value: amount, unit } = (value ?? {}) as { value?: unknown; unit?: unknown };
  if (typeof amount !== 'number' || !(amount >= 1 && amount < 10_000)) return 'auto';
  if (unit === 'px') return `${amount * 0.75}pt`;
  if (unit === '%') return `${Math.min(amount, 100)}%`;
  if (unit === 'em' || unit === 'rem') return `${amount}em`;
  return 'auto';
}

export const drawing: Typesetter = (setting, block) => {
  const path = setting.picture(block.data?.['ref']);
  return path === undefined
    ? ''
    : `#align(center)[#figure-of(picture(${literal(path)}, "", auto, auto, false))[]]`;
};
