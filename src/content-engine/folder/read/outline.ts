import { computedTitle } from '../../computed/index.ts';
import { decode, directoryOf, joinPath, parseHref } from '../../links/index.ts';
import { cleanTitle, isSafeUrl, type ComputedSource } from '../../tree/index.ts';
import { Indentation } from '../summary/indentation.ts';
import type { SummaryItem } from '../summary/parse-summary.ts';
import { asMap, asText, parseYamlFile } from '../yaml-file.ts';

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
      /** Default: the name of the file. */
      readonly slug?: string;
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
  /** Entries that became no page. */
  readonly warnings: readonly EntryWarning[];
  /** Entries that became a link, because an earlier one names the same file. */
  readonly repeated: readonly EntryWarning[];
}

/** A problem with an entry of SUMMARY.md. */
export interface EntryWarning {
  readonly message: string;
  readonly line: number;
  /** The path that the entry names. */
  readonly file?: string;
}

/** The context for reading entries of SUMMARY.md. */
export interface EntryContext {
  readonly summary: string;
  /** Whether a file can be a page. */
  readonly isPage: (path: string) => boolean;
  /** The files of earlier entries: a file is a page only once. */
  readonly used: Set<string>;
  /** The files of entries without an anchor. An entry with an anchor is a link, unless it alone names the file. */
  readonly listed: ReadonlySet<string>;
}

/** The files that entries name without an anchor. */
export function listedFiles(
  items: readonly SummaryItem[],
  context: Pick<EntryContext, 'summary' | 'isPage'>,
): ReadonlySet<string> {
  const files = new Set<string>();
  for (const item of items) {
    const address = item.kind === 'entry' ? parseHref(item.href ?? '') : undefined;
    if (address === undefined || address.suffix.includes('#')) continue;
    const file = findFile(address.path, context);
    if (file !== undefined) files.add(file);
  }
  return files;
}

function findFile(
  spelled: string,
  { summary, isPage }: Pick<EntryContext, 'summary' | 'isPage'>,
): string | undefined {
  if (spelled === '') return undefined;
  const dir = directoryOf(summary);
  for (const path of new Set([decode(spelled), spelled])) {
    const joined = joinPath(dir, path);
    if (joined === undefined) continue;
    const readme = joined === '' ? 'README.md' : `${joined}/README.md`;
    const file = [joined, `${joined}.md`, readme, `${joined}.mdx`, `${readme}x`].find(isPage);
    if (file !== undefined) return file;
  }
  return undefined;
}

export function readOutline(
  items: readonly SummaryItem[],
  summary: string,
  isPage: (path: string) => boolean,
): Outline {
  const rows: OutlineRow[] = [];
  const warnings: EntryWarning[] = [];
  const repeated: EntryWarning[] = [];
  const listed = listedFiles(items, { summary, isPage });
  const context = { summary, isPage, used: new Set<string>(), listed };
  const indentation = new Indentation();
  for (const [index, item] of items.entries()) {
    const row = readItem(item, context);
    const depth = indentation.advance(item, row);
    if (typeof row === 'string')
      warnings.push({ message: row, line: item.line, ...fileMember(item, summary) });
    else if (row !== undefined) rows.push({ ...row, depth, item: index });
    const file = typeof row === 'object' && row.type === 'link' ? usedFile(row.href, context) : undefined;
    if (file !== undefined)
      repeated.push({ message: `${file} is listed before: this entry is a link to it`, line: item.line });
    if (typeof row === 'object' && row.type === 'document') context.used.add(row.path);
  }
  return { rows, warnings, repeated };
}

/** The page of an earlier entry that an href names without an anchor. */
function usedFile(href: string, context: EntryContext): string | undefined {
  const address = parseHref(href);
  if (address === undefined || address.suffix.includes('#')) return undefined;
  const file = findFile(address.path, context);
  return file !== undefined && context.used.has(file) ? file : undefined;
}

function fileMember(item: SummaryItem, summary: string): { file?: string } {
  const address = item.kind === 'entry' ? parseHref(item.href ?? '') : undefined;
  const file = address && joinPath(directoryOf(summary), decode(address.path));
  return file === undefined ? {} : { file };
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

const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel', 'octavo'];

function entryRow(
  { title, href, label }: Extract<SummaryItem, { kind: 'entry' }>,
  context: EntryContext,
): ListedPage | string {
  if (href === undefined) return `“${title}” has no target`;
  if (!isSafeUrl(href, LINK_SCHEMES))
    return `“${title}” leads to a URL that is not http, https, mailto or tel`;
  const name = cleanTitle(label ?? title);
  const address = parseHref(href);
  const link = { type: 'link', title: name ?? cleanTitle(href) ?? 'Untitled', href } as const;
  if (address === undefined) return link;
  const path = findFile(address.path, context);
  const isLink = address.suffix.includes('#');
  if (path === undefined) return isLink || !/\.mdx?$|^$/i.test(address.path) ? link : `There is no ${href}`;
  if (isLink && (address.anchor === undefined || context.listed.has(path))) return link;
  if (context.used.has(path)) return link;
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
