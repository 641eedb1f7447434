import { blocksOf, inlinesOf, stringOf } from '../../document/nodes.ts';
import type { BlockNode, ContentRef } from '../../markdown/index.ts';
import { textOfInlines } from '../../document/text.ts';
import { inlines } from './inlines.ts';
import { describe } from './links.ts';
import { literal, words } from './literal.ts';
import { BookTooLong, inside, type Setting, type Typesetter } from './context.ts';

/** Blocks that hold blocks. */

const content = (setting: Setting, block: BlockNode, mark = ''): string =>
  setting.blocks(inside(setting, mark), blocksOf(block));

const target = (setting: Setting, block: BlockNode, title: string): string => {
  const label = setting.labels.place(block);
  if (label === undefined) return 'none';
  setting.addPlace({ label, title });
  return `<${label}>`;
};

const STYLES = new Set(['info', 'warning', 'danger', 'success']);

export const hint: Typesetter = (setting, block) => {
  const named = stringOf(block.data, 'style') ?? '';
  const style = literal(STYLES.has(named) ? named : 'info');
  return `#hint(${style})[${content(setting, block, `#sign(${style})`)}]`;
};

/** On paper, tabs stand one below the other. */
export const tabs: Typesetter = (setting, block) => {
  const parts = blocksOf(block).map((part, index) => {
    const title = stringOf(part.data, 'title') ?? `Tab ${index + 1}`;
    return `(${target(setting, part, title)}, [${words(title)}], [${content(setting, part)}])`;
  });
  return parts.length === 0 ? '' : `#tabs(${parts.join(', ')},)`;
};

export const stepper: Typesetter = (setting, block) => {
  const parts = blocksOf(block).map((part, index) => `[${content(setting, part, `#step(${index + 1})`)}]`);
  return parts.length === 0 ? '' : `#steps(${parts.join(', ')})`;
};

export const expandable: Typesetter = (setting, block) => {
  const part = (name: string): readonly BlockNode[] =>
    block.fragments?.find((one) => one.fragment === name || one.type === name)?.nodes ?? [];
  const [title] = part('expandable-title');
  const summary = title ? inlines(setting, inlinesOf(title)) : '';
  const body = setting.blocks(inside(setting), part('expandable-body'));
  const at = target(setting, block, title ? textOfInlines(inlinesOf(title)) : '');
  return `#expandable(${at}, [${summary}])[${body}]`;
};

export const columns: Typesetter = (setting, block) => {
  const parts = blocksOf(block);
  if (parts.length === 0) return '';
  const cells = parts.map((part) => {
    const vertical = part.data?.['verticalAlignment'];
    const align = vertical === 'middle' ? 'horizon' : vertical === 'bottom' ? 'bottom' : 'top';
    return `grid.cell(align: ${align})[${content(setting, part)}]`;
  });
  return `#grid(columns: (${parts.map(shareOf).join(', ')},), column-gutter: 1.6em, ${cells.join(', ')})`;
};

/** A share of the width: `50%` and `300px` count only beside each other. */
function shareOf(column: BlockNode): string {
  const width = column.data?.['width'] as number | { value?: unknown; unit?: unknown } | undefined;
  const percent = typeof width === 'object' && width.unit === '%' ? Number(width.value) : Number.NaN;
  return percent >= 5 && percent <= 95 ? `${percent}fr` : '50fr';
}

export const updates: Typesetter = (setting, block) =>
  blocksOf(block)
    .map((part) => {
      const date = words((stringOf(part.data, 'date') ?? '').slice(0, 10));
      const tags = Array.isArray(part.data?.['tags']) ? (part.data['tags'] as ContentRef[]) : [];
      const names = tags.map((tag) => {
        const name = describe(setting, tag).title ?? (tag.kind === 'tag' ? tag.tag : '');
        return `#chip[${words(name)}]`;
      });
      return `#update([${date}], [${names.join('')}])[${content(setting, part)}]`;
    })
    .join('\n');

/** A condition that nobody decided: what depends on it is shown. */
export const condition: Typesetter = (setting, block) => setting.blocks(setting, blocksOf(block));

export const prompt: Typesetter = (setting, block) =>
  `#framed[${words(stringOf(block.data, 'description') ?? '')}][${content(setting, block)}]`;

/** Including nothing takes its time, too. */
const LEAST_INCLUDED = 200;

export const reusableContent: Typesetter = (setting, block) => {
  const ref = block.data?.['ref'] as { reusableContent?: unknown } | undefined;
  const id = typeof ref?.reusableContent === 'string' ? ref.reusableContent : '';
  const document = setting.book.reusableContents?.get(id);
  if (!document || setting.within.includes(id)) return '';
  const included = setting.blocks({ ...setting, within: [...setting.within, id] }, document.nodes);
  setting.room.included -= Math.max(included.length, LEAST_INCLUDED);
  if (setting.room.included < 0) throw new BookTooLong();
  return included;
};
