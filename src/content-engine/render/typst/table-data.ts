import type { BlockNode, FragmentNode } from '../../markdown/index.ts';

/** A table as its block holds it, in order, without what does not fit together. */
export interface Table {
  /** Those that are shown. */
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly fragments: ReadonlyMap<string, FragmentNode>;
  readonly view: Members;
}

export type Members = Readonly<Record<string, unknown>>;
export type Row = Members;

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly definition: Members;
}

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

export function readTable({ data = {}, fragments = [] }: BlockNode): Table {
  const view = membersOf(data['view']);
  const definitions = membersOf(data['definition']);
  const shown = Array.isArray(view['columns']) ? (view['columns'] as unknown[]) : Object.keys(definitions);
  return {
    columns: shown.flatMap((id) => columnOf(definitions, String(id))),
    rows: Object.values(membersOf(data['records']))
      .map(membersOf)
      .toSorted((a, b) => order(String(a['orderIndex']), String(b['orderIndex'])))
      .map((record) => membersOf(record['values'])),
    fragments: new Map(fragments.map((fragment) => [fragment.fragment ?? '', fragment])),
    view,
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function columnOf(definitions: Members, id: string): Column[] {
  if (!Object.hasOwn(definitions, id)) return [];
  const definition = membersOf(definitions[id]);
  return [
    {
      id,
      title: typeof definition['title'] === 'string' ? definition['title'] : '',
      type: typeof definition['type'] === 'string' ? definition['type'] : 'text',
      definition,
    },
  ];
}

/** Rich text of a cell. */
export const fragmentOf = (table: Table, value: unknown): readonly BlockNode[] =>
  (typeof value === 'string' ? table.fragments.get(value)?.nodes : undefined) ?? [];
