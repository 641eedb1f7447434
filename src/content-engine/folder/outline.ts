import { decode, directoryOf, joinPath, parseHref } from '../links/index.ts';
import { cleanTitle, type ComputedSource } from '../tree/index.ts';
import { Indentation } from './summary/indentation.ts';
import type { SummaryItem } from './summary/parse-summary.ts';
import { asMap, asText, parseYamlFile } from './yaml-file.ts';

/**
 * One page of the outline of a folder, in reading order. Its parent is the last row before it with a smaller depth.
 */
export type OutlineRow = {
  /** 1: at the root. */
  readonly depth: number;
  /** Index of its entry in SUMMARY.md. */
  readonly item?: number;
} & (
  | {
      readonly type: 'document';
      readonly path: string;
      /** The title of a page whose file has none. */
      readonly title?: string;
      /** The title in navigation. */
      readonly label?: string;
    }
  | { readonly type: 'group'; readonly title: string; readonly slug?: string }
  | { readonly type: 'link'; readonly title: string; readonly href: string }
  | { readonly type: 'computed'; readonly title: string; readonly computed: ComputedSource }
);

/** The page of one entry, without its place. */
export type ListedPage = OutlineRow extends infer R
  ? R extends unknown
    ? Omit<R, 'depth' | 'item'>
    : never
  : never;

export interface Outline {
  readonly rows: readonly OutlineRow[];
  readonly warnings: readonly { readonly message: string; readonly line: number }[];
}

/** The context for reading entries of SUMMARY.md. */
export interface EntryContext {
  readonly summary: string;
  /** Whether a file can be a page. */
  readonly isPage: (path: string) => boolean;
  /** The files of earlier entries: a file is a page only once. */
  readonly used: Set<string>;
}

export function readOutline(
  items: readonly SummaryItem[],
  summary: string,
  isPage: (path: string) => boolean,
): Outline {
  const rows: OutlineRow[] = [];
  const warnings: { message: string; line: number }[] = [];
  const context = { summary, isPage, used: new Set<string>() };
  const indentation = new Indentation();
  for (const [index, item] of items.entries()) {
    const listed = readItem(item, context);
    const depth = indentation.advance(item, listed);
    if (typeof listed === 'string') warnings.push({ message: listed, line: item.line });
    else if (listed !== undefined) rows.push({ ...listed, depth, item: index });
    if (typeof listed === 'object' && listed.type === 'document') context.used.add(listed.path);
  }
  return { rows, warnings };
}

/** The page of an entry; a message if it has none; undefined for a divider. */
export function readItem(item: SummaryItem, context: EntryContext): ListedPage | string | undefined {
  switch (item.kind) {
    case 'divider':
      return undefined;
    case 'group':
      return groupRow(item);
    case 'computed':
      return computedRow(item.yaml);
    case 'entry':
      return entryRow(item, context);
  }
}

function groupRow({ title, slug }: Extract<SummaryItem, { kind: 'group' }>): ListedPage {
  const row = { type: 'group', title: cleanTitle(title) ?? 'Untitled' } as const;
  return slug === undefined ? row : { ...row, slug };
}

function entryRow(
  { title, href, label }: Extract<SummaryItem, { kind: 'entry' }>,
  { summary, isPage, used }: EntryContext,
): ListedPage | string {
  if (href === undefined) return `“${title}” has no target`;
  const name = cleanTitle(label ?? title);
  const address = parseHref(href);
  const link = { type: 'link', title: name ?? cleanTitle(href) ?? 'Untitled', href } as const;
  if (address === undefined || address.suffix.includes('#')) return link;
  const dir = directoryOf(summary);
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

function computedRow(yaml: string): ListedPage | string {
  const { value, problem } = parseYamlFile(yaml);
  const { type, props, dependencies, title } = asMap(value);
  if (problem !== undefined || typeof type !== 'string') return problem ?? 'Computed pages need a type';
  const computed = {
    type,
    ...(props === undefined ? {} : { props: asMap(props) }),
    ...(dependencies === undefined ? {} : { dependencies: asMap(dependencies) }),
  };
  return { type: 'computed', title: cleanTitle(asText(title) ?? '') ?? computedTitle(computed), computed };
}

/** The default title of computed pages: the name of their specification. */
export function computedTitle({ type, dependencies }: ComputedSource): string {
  const spec = asText(asMap(asMap(asMap(dependencies)['spec'])['ref'])['spec']);
  return cleanTitle(spec ?? '') ?? cleanTitle(type) ?? 'Untitled';
}
