import { blocksOf, inlinesOf, stringOf } from '../../document/nodes.ts';
import type { BlockNode } from '../../markdown/index.ts';
import { textOfInlines } from '../../document/text.ts';
import { inlines, opened } from './inlines.ts';
import { literal } from './literal.ts';
import { formula } from './math/index.ts';
import { inside, type Setting, type Typesetter } from './context.ts';

/** Paragraphs, headings, lists and what else has nothing but text. */

const ALIGNMENTS: Readonly<Record<string, string>> = { center: 'center', end: 'right' };

function aligned(block: BlockNode, content: string): string {
  const alignment = ALIGNMENTS[stringOf(block.data, 'align') ?? ''];
  return alignment === undefined ? content : `#align(${alignment})[${content}]`;
}

export const paragraph: Typesetter = (setting, block) => {
  const content = inlines(setting, inlinesOf(block));
  return content === '' ? '' : aligned(block, `#par[${setting.mark}${content}]`);
};

/** The title of a page is one level above its first headings; those of pages below it go on from there. */
export const heading: Typesetter = (setting, block) => {
  const size = Number(block.type.slice('heading-'.length)) || 3;
  const content = inlines(setting, inlinesOf(block));
  if (content === '') return '';
  const label = setting.labels.place(block) ?? setting.labels.next();
  const level = setting.page.depth + 1 + size;
  const inContents = setting.sectionsInContents && setting.depth === 0;
  setting.addPlace({ label, title: textOfInlines(inlinesOf(block)), level, inContents });
  return aligned(block, `#section(${size}, ${level}, <${label}>, [${setting.mark}])[${content}]`);
};

const item = (setting: Setting, block: BlockNode): string => opened(setting, blocksOf(block));

const items = (setting: Setting, block: BlockNode): string =>
  blocksOf(block)
    .map((one) => `[${item(inside(setting), one)}]`)
    .join(', ');

/** Items of one line stand close together. */
const isTight = (block: BlockNode): boolean =>
  blocksOf(block).every((one) =>
    blocksOf(one).every((part, index) =>
      index === 0 ? part.type === 'paragraph' : part.type.startsWith('list-'),
    ),
  );

export const bullets: Typesetter = (setting, block) =>
  `#list(tight: ${isTight(block)}, ${items(setting, block)})`;

export const numbers: Typesetter = (setting, block) => {
  const start = Number(block.data?.['start'] ?? 1);
  const first = Number.isSafeInteger(start) && start >= 0 ? start : 1;
  return `#enum(tight: ${isTight(block)}, start: ${first}, ${items(setting, block)})`;
};

export const tasks: Typesetter = (setting, block) => {
  const all = blocksOf(block).map(
    (one) => `(${one.data?.['checked'] === true}, [${item(inside(setting), one)}])`,
  );
  return `#tasks(${all.join(', ')})`;
};

export const quote: Typesetter = (setting, block) =>
  `#quote(block: true)[${setting.blocks(inside(setting), blocksOf(block))}]`;

export const divider: Typesetter = () => '#divider';

export const math: Typesetter = (_setting, block) => formula(stringOf(block.data, 'formula') ?? '', true);

/** What nobody knows: what it holds, or else the words in it. */
export const unknown: Typesetter = (setting, block) => {
  const [first] = block.nodes ?? [];
  const held =
    first?.object === 'block' ? setting.blocks(setting, blocksOf(block)) : paragraph(setting, block);
  const fragments = (block.fragments ?? []).flatMap((fragment) => fragment.nodes);
  const content = held + setting.blocks(setting, fragments);
  return content === '' ? `#par[#text(fill: muted)[#${literal(block.type)}]]` : content;
};
