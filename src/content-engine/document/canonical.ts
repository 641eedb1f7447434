import { emptyBlock } from './empty-block.ts';
import type {
  BlockNode,
  Data,
  FragmentNode,
  InlineContent,
  InlineNode,
  JSONDocument,
  Leaf,
  Mark,
} from './nodes.ts';
import { modelOf } from '../markdown/write/table.ts';

/**
 * What a block says, as text that is equal for equal blocks: without keys, anchors that follow from the text, ids inside
 * tables, empty paragraphs, and the way in which text is cut into leaves.
 */
export const fingerprint = (block: BlockNode): string => JSON.stringify(canonical(block));

export const sameDocument = (one: JSONDocument, other: JSONDocument): boolean =>
  JSON.stringify(canonicalBlocks(one.nodes)) === JSON.stringify(canonicalBlocks(other.nodes));

export const canonicalBlocks = (blocks: readonly BlockNode[]): unknown[] =>
  blocks.filter((block) => !emptyBlock(block)).map(canonical);

function canonical(block: BlockNode): unknown {
  const { type } = block;
  if (type === 'table') return canonicalTable(block);
  const data = sorted(dataOf(block));
  if (type === 'expandable') {
    const part = (name: string): FragmentNode | undefined =>
      block.fragments?.find((one) => one.fragment === name || one.type === name);
    const title = part('expandable-title')?.nodes[0];
    const body = canonicalBlocks(part('expandable-body')?.nodes ?? []);
    return { type, data, title: inlines((title?.nodes ?? []) as InlineContent[]), body };
  }
  const fragments = canonicalFragments(block.fragments);
  const nodes = (block.nodes ?? []) as (BlockNode | InlineContent)[];
  const content = nodes.some((node) => node.object !== 'block')
    ? inlines(nodes as InlineContent[])
    : canonicalBlocks(nodes as BlockNode[]);
  return { type, data, nodes: content, fragments };
}

const canonicalFragments = (fragments: readonly FragmentNode[] | undefined): unknown[] =>
  (fragments ?? [])
    .map((fragment) => ({ name: fragment.fragment ?? fragment.type, nodes: canonicalBlocks(fragment.nodes) }))
    .filter((fragment) => fragment.nodes.length > 0);

/** Members that say the same as their absence are left out. */
function dataOf({ type, data = {} }: BlockNode): Data {
  switch (type) {
    case 'list-item':
      return data['checked'] === true ? { checked: true } : {};
    case 'list-ordered':
      return data['start'] === 1 || data['start'] === undefined ? {} : { start: data['start'] };
    case 'paragraph':
      return data['align'] === 'start' ? {} : data;
    case 'code-line':
      return data['highlighted'] === true ? { highlighted: true } : {};
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return data['align'] === 'start' ? { ...data, align: undefined } : data;
    case 'image':
      return spoken(data);
    default:
      return Object.fromEntries(
        Object.entries(data).filter(
          ([, value]) =>
            value !== false || type === 'integration' || type === 'code' || type === 'openapi-schemas',
        ),
      );
  }
}

/** An image without a description has an empty one. */
const spoken = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).filter(([name, value]) => (name !== 'alt' && name !== 'caption') || value !== ''),
  );

/** Members in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

function canonicalTable(block: BlockNode): unknown {
  const { view, columns, rows, fragments } = modelOf(block);
  const place = new Map(columns.map((column, index) => [column.id, index]));
  const at = (id: unknown): number | undefined => (typeof id === 'string' ? place.get(id) : undefined);
  const widths = (view['columnWidths'] ?? {}) as Data;
  return {
    type: 'table',
    view: sorted({
      type: view['type'],
      cardSize: view['cardSize'],
      hideHeader: view['hideHeader'] === true,
      hideColumnTitle: view['hideColumnTitle'] === true,
      wrap: view['wrap'],
      target: at(view['targetDefinition']),
      cover: at(view['coverDefinition']),
      dark: at(view['coverDefinitionDark']),
    }),
    fullWidth: block.data?.['fullWidth'] === true,
    search: block.data?.['search'],
    columns: columns.map(({ id, definition, hidden }) => {
      const { id: _id, ...rest } = definition;
      return { definition: sorted(rest), hidden, width: widths[id] };
    }),
    rows: rows.map((values) =>
      values.flatMap(([index, value]) => {
        const type = columns[index]?.definition['type'];
        if (type !== 'text') return [[index, sorted(type === 'image' ? imageOf(value) : value)]];
        const nodes = typeof value === 'string' ? canonicalBlocks(fragments.get(value)?.nodes ?? []) : [];
        return nodes.length > 0 ? [[index, nodes]] : [];
      }),
    ),
  };
}

/** An image in a cell is a reference, or an object with one. */
const imageOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'kind' in value ? { ref: value } : value;

type CanonicalInline =
  | { text: string; marks: unknown }
  | { type: string; data: unknown; nodes: unknown; fragments: unknown };

function inlines(nodes: readonly InlineContent[]): CanonicalInline[] {
  const out: CanonicalInline[] = [];
  for (const node of nodes) {
    if (node.object === 'inline') out.push(canonicalInline(node));
    else for (const leaf of node.leaves) addLeaf(out, leaf);
  }
  return out;
}

function addLeaf(out: CanonicalInline[], leaf: Leaf): void {
  if (leaf.text === '') return;
  const marks = JSON.stringify(leaf.marks.map(markName).toSorted());
  const last = out.at(-1);
  if (last && 'text' in last && last.marks === marks) last.text += leaf.text;
  else out.push({ text: leaf.text, marks });
}

const markName = (mark: Mark): string =>
  mark.data ? `${mark.type} ${mark.data.text} ${mark.data.background}` : mark.type;

function canonicalInline(node: InlineNode): CanonicalInline {
  const data = node.data ?? {};
  return {
    type: node.type,
    data: sorted(node.type === 'inline-image' ? spoken(data) : data),
    nodes: inlines(node.nodes ?? []),
    fragments: canonicalFragments(node.fragments),
  };
}
