import { textOfInlines, type HeadingBlock, type HeadingType } from '../../document/index.ts';
import { slugOf } from '../../markdown/index.ts';
import { attribute, elementsIn, findAll, parentOf, type Element } from '../dom.ts';
import type { BlockConverter, Conversion, Headings } from './context.ts';
import { lineOf } from './inlines.ts';

const TYPES: readonly HeadingType[] = ['heading-1', 'heading-2', 'heading-3'];

/** `title`: the heading that is the title of the page, which is not in the text any more. */
export function headingsOf(main: Element, title: Element | undefined, replacesIds: boolean): Headings {
  const first = firstLevel(main, title);
  const taken = new Set<string>();
  const firsts = new Map<Element, Element>();
  return {
    typeOf: (tagName) => TYPES[Math.min(Math.max(Number(tagName[1]) - first, 0), 2)] ?? 'heading-3',
    explicitId(id, text) {
      const slug = slugOf(text);
      const isFree = !taken.has(slug);
      taken.add(slug);
      if (id === undefined || replacesIds || (id === slug && isFree) || taken.has(`#${id}`)) return undefined;
      taken.add(`#${id}`);
      return id;
    },
    firstIn(section) {
      const found = firsts.get(section) ?? elementsIn(section).find(({ tagName }) => tagName !== 'span');
      if (found) firsts.set(section, found);
      return found;
    },
    blockOf: new Map(),
  };
}

/** The level that is written as the first one below the title. */
function firstLevel(main: Element, title: Element | undefined): number {
  const levels = findAll(main, ({ tagName }) => isHeading(tagName)).map(({ tagName }) => Number(tagName[1]));
  const highest = levels.reduce((one, level) => Math.min(one, level), 6);
  if (!title) return highest;
  // Some programs write the title and the sections of the text as `h1`.
  if (levels[0] === 1) return 1;
  return isHeading(title.tagName) && title.tagName !== 'h1' ? Math.max(2, highest) : 2;
}

export const isHeading = (tagName: string): boolean => /^h[1-6]$/.test(tagName);

/** Anchors that can be written. */
const VALID = /^[^\s"'<>&#()[\]\\`*|]{1,200}$/;

export const convertHeading: BlockConverter = (element, conversion) =>
  isHeading(element.tagName)
    ? headingBlocks(
        conversion.headings.typeOf(element.tagName),
        element,
        idOf(element, conversion),
        conversion,
      )
    : undefined;

function headingBlocks(
  type: HeadingType,
  element: Element,
  id: string | undefined,
  conversion: Conversion,
): HeadingBlock[] {
  const nodes = lineOf(element.childNodes, conversion);
  if (nodes.length === 0) return [];
  const anchor = conversion.headings.explicitId(id, textOfInlines(nodes));
  const block: HeadingBlock = {
    object: 'block',
    type,
    data: anchor === undefined ? {} : { id: anchor },
    nodes,
  };
  conversion.headings.blockOf.set(element, block);
  return [block];
}

/** The id of a heading, or of the section that it begins. */
function idOf(heading: Element, { headings }: Conversion): string | undefined {
  const section = parentOf(heading);
  const isSection = section?.tagName === 'section' || section?.tagName === 'div';
  const id =
    attribute(heading, 'id') ??
    (isSection && headings.firstIn(section) === heading ? attribute(section, 'id') : undefined);
  return id !== undefined && VALID.test(id) ? id : undefined;
}
