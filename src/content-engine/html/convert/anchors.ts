import { eachBlock, isHeadingBlock, type BlockNode, type HeadingBlock } from '../../document/index.ts';
import { assignAnchors } from '../../markdown/index.ts';
import { attribute, classesOf, eachNode, isElement, isText, type Document, type Element } from '../dom.ts';
import { MAX_IDS } from '../limits.ts';

/** Addresses may lead to any element; in a document only headings have anchors. */
export interface Places {
  /** Elements that become headings, in order. */
  readonly headings: readonly Element[];
  /** The heading that an id leads to, by its index. -1: the id is before the first heading. */
  readonly byId: ReadonlyMap<string, number>;
}

/** An id leads to the heading that follows it without text between them, otherwise to the heading above it. */
export function placesIn(main: Element): Places {
  const headings: Element[] = [];
  const byId = new Map<string, number>();
  let waiting: string[] = [];
  const settle = (): void => {
    for (const id of waiting) if (!byId.has(id) && byId.size < MAX_IDS) byId.set(id, headings.length - 1);
    waiting = [];
  };
  eachNode(main, (node) => {
    if (isText(node) && node.value.trim() !== '') settle();
    if (!isElement(node)) return true;
    waiting.push(...idsOf(node));
    if (isHeadingLike(node)) headings.push(node);
    else if (!/^(?:img|pre|hr|table)$/.test(node.tagName)) return true;
    settle();
    // Each line of code may have an id.
    return node.tagName !== 'pre';
  });
  settle();
  return { headings, byId };
}

function idsOf(element: Element): string[] {
  const names = [attribute(element, 'id'), element.tagName === 'a' ? attribute(element, 'name') : undefined];
  return names.filter((name) => name !== undefined && name !== '') as string[];
}

/** Headings, and the signatures of an API reference. */
const isHeadingLike = (element: Element): boolean =>
  /^h[1-6]$/.test(element.tagName) || (element.tagName === 'dt' && classesOf(element).includes('sig'));

/** The ids of all elements of a page: links may also lead to parts that are not imported. */
export function idsIn(document: Document): ReadonlySet<string> {
  const ids = new Set<string>();
  eachNode(document, (node) => {
    if (isElement(node) && ids.size < MAX_IDS) for (const id of idsOf(node)) ids.add(id);
  });
  return ids;
}

/** The anchors of the document by the ids of the page. An empty one leads to the page as a whole. */
export function anchorsById(
  ids: ReadonlySet<string>,
  { headings, byId }: Places,
  blocks: readonly BlockNode[],
  blockOf: ReadonlyMap<Element, HeadingBlock>,
): ReadonlyMap<string, string> {
  const anchorOf = anchorsOf(blocks);
  const anchors: (string | undefined)[] = [];
  // A heading that became something else, such as a line of a table, is replaced by the one before it.
  for (const element of headings) {
    const block = blockOf.get(element);
    anchors.push((block && anchorOf.get(block)) ?? anchors.at(-1));
  }
  const found = new Map<string, string>();
  for (const id of ids) found.set(id, '');
  for (const [id, index] of byId) found.set(id, anchors[index] ?? '');
  return found;
}

/** The anchors that headings will have when the document is read. */
function anchorsOf(blocks: readonly BlockNode[]): ReadonlyMap<HeadingBlock, string> {
  const headings: HeadingBlock[] = [];
  eachBlock(blocks, (block) => {
    if (isHeadingBlock(block)) headings.push(block);
  });
  const copies = headings.map(({ data, ...block }): HeadingBlock => {
    const id = data?.id;
    return { ...block, data: data ?? {}, ...(id === undefined ? {} : { meta: { id } }) };
  });
  assignAnchors(copies, []);
  return new Map(headings.map((heading, index) => [heading, copies[index]?.meta?.id ?? '']));
}
