import { decode, folderOf, joinPath, readAddress } from '../links/index.ts';
import { cleanTitle, type ComputedSource } from '../tree/index.ts';
import { Levels } from './summary/indentation.ts';
import type { SummaryItem } from './summary/parse-summary.ts';
import { asMap, asText, readFile } from './yaml-file.ts';

/** One page of the tree as a folder tells it, in reading order. Each stands below the last before it that is higher. */
export type Row = {
  /** 1: at the root. */
  readonly depth: number;
  /** Which entry of SUMMARY.md says it. */
  readonly item?: number;
} & (
  | {
      readonly type: 'document';
      readonly path: string;
      /** The title of a page that gives itself none. */
      readonly title?: string;
      /** What navigation shows. */
      readonly label?: string;
    }
  | { readonly type: 'group'; readonly title: string; readonly slug?: string }
  | { readonly type: 'link'; readonly title: string; readonly href: string }
  | { readonly type: 'computed'; readonly title: string; readonly computed: ComputedSource }
);

/** What one entry says, wherever it stands. */
export type Said = Row extends infer R ? (R extends unknown ? Omit<R, 'depth' | 'item'> : never) : never;

export interface Outline {
  readonly rows: readonly Row[];
  readonly warnings: readonly { readonly message: string; readonly line: number }[];
}

/** What the entries of SUMMARY.md are read with. */
export interface Listing {
  readonly summary: string;
  /** Which files can be pages. */
  readonly isPage: (path: string) => boolean;
  /** Those that an entry before is: each is a page once. */
  readonly used: Set<string>;
}

export function readOutline(
  items: readonly SummaryItem[],
  summary: string,
  isPage: (path: string) => boolean,
): Outline {
  const rows: Row[] = [];
  const warnings: { message: string; line: number }[] = [];
  const listing = { summary, isPage, used: new Set<string>() };
  const levels = new Levels();
  for (const [index, item] of items.entries()) {
    const said = readItem(item, listing);
    const depth = levels.pass(item, said);
    if (typeof said === 'string') warnings.push({ message: said, line: item.line });
    else if (said !== undefined) rows.push({ ...said, depth, item: index });
    if (typeof said === 'object' && said.type === 'document') listing.used.add(said.path);
  }
  return { rows, warnings };
}

/** What an entry says; why it says nothing; undefined for a divider. */
export function readItem(item: SummaryItem, listing: Listing): Said | string | undefined {
  switch (item.kind) {
    case 'divider':
      return undefined;
    case 'group':
      return groupRow(item);
    case 'computed':
      return computedRow(item.yaml);
    case 'entry':
      return entryRow(item, listing);
  }
}

function groupRow({ title, slug }: Extract<SummaryItem, { kind: 'group' }>): Said {
  const row = { type: 'group', title: cleanTitle(title) ?? 'Untitled' } as const;
  return slug === undefined ? row : { ...row, slug };
}

function entryRow(
  { title, href, label }: Extract<SummaryItem, { kind: 'entry' }>,
  { summary, isPage, used }: Listing,
): Said | string {
  if (href === undefined) return `“${title}” has no target`;
  const name = cleanTitle(label ?? title);
  const address = readAddress(href);
  const link = { type: 'link', title: name ?? cleanTitle(href) ?? 'Untitled', href } as const;
  if (address === undefined || address.suffix.includes('#')) return link;
  const dir = folderOf(summary);
  const paths = [decode(address.path), address.path].flatMap((path) => {
    const joined = joinPath(dir, path);
    if (joined === undefined || address.path === '') return [];
    return [joined, `${joined}.md`, joined === '' ? 'README.md' : `${joined}/README.md`];
  });
  const path = paths.find(isPage);
  if (path === undefined) return /\.md$|^$/i.test(address.path) ? `There is no ${href}` : link;
  if (used.has(path)) return link;
  const text = cleanTitle(title) ?? name;
  return { type: 'document', path, ...(text && { title: text }), ...(name && { label: name }) };
}

function computedRow(yaml: string): Said | string {
  const { value, problem } = readFile(yaml);
  const { type, props, dependencies, title } = asMap(value);
  if (problem !== undefined || typeof type !== 'string') return problem ?? 'Computed pages need a type';
  const computed = {
    type,
    ...(props === undefined ? {} : { props: asMap(props) }),
    ...(dependencies === undefined ? {} : { dependencies: asMap(dependencies) }),
  };
  return { type: 'computed', title: cleanTitle(asText(title) ?? '') ?? computedTitle(computed), computed };
}

/** What computed pages are called when nothing says it: as the specification they come from. */
export function computedTitle({ type, dependencies }: ComputedSource): string {
  const spec = asText(asMap(asMap(asMap(dependencies)['spec'])['ref'])['spec']);
  return cleanTitle(spec ?? '') ?? cleanTitle(type) ?? 'Untitled';
}
