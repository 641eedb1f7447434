import { INCLUDES } from '../../links/index.ts';
import { hashOf, type Hash } from '../../map/index.ts';
import {
  cleanTitle,
  type ContentRecord,
  type FileRecord,
  type FolderRecord,
  type ReusableContentRecord,
} from '../../tree/index.ts';
import { CONFIGURATION, readConfiguration, reportMissing, type Configuration } from '../configuration.ts';
import { readDefinitions } from '../definitions.ts';
import type { DescribedFile } from '../described-file.ts';
import { identify, withPreviousMembers, type Identity } from './identity.ts';
import { inferOutline, titleFrom } from './infer-outline.ts';
import { readOutline, type OutlineRow } from './outline.ts';
import { isAsset, TAGS, VARIABLES } from '../write/export-paths.ts';
import { withExpansions } from './keep-expansions.ts';
import { isText, newImport, sourceMembers, storeInline, useMarkdown } from './import-context.ts';
import type { FolderFile, FolderWarning, ImportContext, ReadFolderOptions } from './import-context.ts';
import { isNavigation, MAX_NAVIGATION, readNavigation } from '../navigation/read-navigation.ts';
import { isPagePath } from '../page-path.ts';
import { nameOf, readPages } from './read-pages.ts';
import { resolveLinks } from './resolve-links.ts';
import { textOf } from '../split-file.ts';
import { parseSummary } from '../summary/parse-summary.ts';

export interface FolderContent {
  readonly records: readonly ContentRecord[];
  /** Bodies and out-of-line values. */
  readonly texts: ReadonlyMap<Hash, string>;
  /** Files to store that were given as bytes. */
  readonly files: ReadonlyMap<Hash, Uint8Array>;
  /** Files to store whose bodies are stored: their paths. They turned out not to be pages. */
  readonly unlisted: readonly string[];
  readonly warnings: readonly FolderWarning[];
  /** Rows of the outline beyond `maxEntries`. */
  readonly beyondLimit: readonly OutlineRow[];
  /** SUMMARY.md has more than `MAX_ITEMS` entries. It was not read. */
  readonly isSummaryTooLong: boolean;
}

/** Imports a folder. An export has the same bytes. */
export function readFolder(files: Iterable<FolderFile>, options: ReadFolderOptions): FolderContent {
  const context = newImport(files, options);
  const configuration = readConfiguration(context.text(CONFIGURATION));
  for (const problem of configuration.problems) context.warnings.push({ path: CONFIGURATION, ...problem });
  reportMissing(context, configuration);
  const identity = identify(options, new Set(context.files.keys()));
  const { folder, variables } = readDefinitions(context, configuration);
  const { rows: outline, items, isTooLong, navigation } = readRows(context, configuration);
  const rows = outline.slice(0, options.maxEntries);
  const { pages, ids } = readPages(context, configuration, rows, identity);
  const includes = readIncludes(context, identity);
  const listed = withListed(context, folder, rows, ids, items);
  const known = [withNavigation(context, listed, navigation), ...variables, ...pages, ...includes];
  const bytes = new Map<Hash, Uint8Array>();
  const unlisted: string[] = [];
  const records = resolveLinks(context, configuration.summary, [
    ...known,
    ...readFiles(context, new Set(known.flatMap(pathsIn)), identity, { bytes, unlisted }),
  ]);
  const read = records.map((record) => withPreviousMembers(options.previous, record, options.now));
  return {
    records: withExpansions(options.previous, read),
    texts: context.texts,
    files: bytes,
    unlisted,
    warnings: context.warnings,
    beyondLimit: outline.slice(rows.length),
    isSummaryTooLong: isTooLong === true,
  };
}

/** How a file is read, by its path: settings and navigations of other programs as bytes, Markdown as bytes or as `StoredMarkdown`, others stored. */
export function contentKinds(
  configuration: Uint8Array | undefined,
): (path: string, size?: number) => 'setting' | 'navigation' | 'page' | 'include' | 'file' {
  const { root, summary } = readConfiguration(configuration && textOf(configuration));
  const settings = new Set([CONFIGURATION, summary, root + TAGS, root + VARIABLES]);
  return (path, size = 0) => {
    if (settings.has(path)) return 'setting';
    const isBelow = path.startsWith(root) && size <= MAX_NAVIGATION;
    if (isBelow && isNavigation(path.slice(root.length))) return 'navigation';
    if (!isPagePath(path)) return 'file';
    return isInclude(path) ? 'include' : 'page';
  };
}

/** A repository of several spaces may have such a directory in each. */
const isInclude = (path: string): boolean => isPagePath(path) && `/${path}`.includes(`/${INCLUDES}/`);

/** Records the page of each entry of SUMMARY.md, so that its line can follow the page later. */
function withListed(
  context: ImportContext,
  folder: FolderRecord,
  rows: readonly OutlineRow[],
  ids: readonly string[],
  items: number,
): FolderRecord {
  if (folder.summary === undefined || items === 0) return folder;
  const listed = Array.from<string | null>({ length: items }).fill(null);
  for (const [index, { item }] of rows.entries()) if (item !== undefined) listed[item] = ids[index] ?? null;
  return { ...folder, summary: { ...folder.summary, listed: storeInline(context, listed) } };
}

/** Records the rows, so that an export can tell whether the navigation of the other program still shows the pages. */
const withNavigation = (
  context: ImportContext,
  folder: FolderRecord,
  rows: readonly OutlineRow[] | undefined,
): FolderRecord => (rows === undefined ? folder : { ...folder, navigation: storeInline(context, rows) });

/** Entries of SUMMARY.md, most of which can be no page: a million of them take 1 GB. */
export const MAX_ITEMS = 160_000;

/** The pages in reading order, and the number of entries of SUMMARY.md. */
interface Rows {
  readonly rows: readonly OutlineRow[];
  readonly items: number;
  readonly isTooLong?: boolean;
  /** The rows are those of the navigation of another program. */
  readonly navigation?: readonly OutlineRow[];
}

function readRows(context: ImportContext, configuration: Configuration): Rows {
  const { summary } = configuration;
  const isPage = (path: string): boolean =>
    isPagePath(path) && path !== summary && !isInclude(path) && isText(context, path);
  const { outline } = context.options;
  if (outline)
    return { rows: outline.filter((row) => row.type !== 'document' || isPage(row.path)), items: 0 };
  const text = context.text(summary);
  if (text === undefined) {
    const isCandidate = (path: string): boolean => !/(?:^|\/)SUMMARY\.md$/.test(path);
    const candidates = new Set([...context.files.keys()].filter(isCandidate));
    const navigation = readNavigation(context, configuration, (path) => candidates.has(path) && isPage(path));
    if (navigation !== undefined) return { rows: navigation, items: 0, navigation };
    return { rows: inferOutline([...candidates].filter(isPage), configuration), items: 0 };
  }
  const items = parseSummary(text, MAX_ITEMS + 1);
  if (items.length > MAX_ITEMS) return { rows: [], items: 0, isTooLong: true };
  const { rows, warnings, repeated } = readOutline(items, summary, isPage);
  for (const warning of warnings) context.warnings.push({ path: summary, ...warning, isEntry: true });
  for (const warning of repeated) context.warnings.push({ path: summary, ...warning });
  return { rows, items: items.length };
}

function readIncludes(context: ImportContext, identity: Identity): ReusableContentRecord[] {
  return [...context.files.keys()].flatMap((path) => {
    const markdown = isInclude(path) ? context.markdown(path, 'include') : undefined;
    if (markdown === undefined) return [];
    const members = sourceMembers(context, path, markdown);
    const id = identity.ofFile(path, { kind: 'reusable-content', ...members });
    useMarkdown(context, id, path, markdown);
    const title = includeTitle(markdown.fields.title, path);
    return [{ id, kind: 'reusable-content', title, ...members }];
  });
}

export const includeTitle = (title: string | undefined, path: string): string =>
  cleanTitle(title ?? '') ?? titleFrom(nameOf(path));

/** The files of a record. */
function pathsIn(record: ContentRecord): string[] {
  const sources =
    record.kind === 'folder'
      ? [record.summary, record.configuration, record.tagsSource]
      : 'source' in record
        ? [record.source]
        : [];
  return sources.flatMap((source) => source?.path ?? []);
}

/** Imports all other files. Unlisted Markdown files are stored for exports only. */
function readFiles(
  { files, options }: ImportContext,
  known: ReadonlySet<string>,
  identity: Identity,
  toStore: { readonly bytes: Map<Hash, Uint8Array>; readonly unlisted: string[] },
): FileRecord[] {
  const describe = (bytes: Uint8Array, name: string): DescribedFile => ({
    ...(options.describe?.(bytes, name) ?? { contentType: 'application/octet-stream' }),
    hash: hashOf(bytes),
    size: bytes.length,
  });
  return [...files.values()].flatMap((file) => {
    const { path } = file;
    if (known.has(path)) return [];
    const name = path.slice(path.lastIndexOf('/') + 1);
    const described =
      'bytes' in file ? describe(file.bytes, name) : 'stored' in file ? file.stored : file.described;
    const { hash, size, ...description } = described;
    if ('bytes' in file) toStore.bytes.set(hash, file.bytes);
    if ('markdown' in file) toStore.unlisted.push(path);
    return [
      {
        id: identity.ofFile(path, { kind: 'file', hash }),
        kind: 'file',
        name,
        ...description,
        size,
        hash,
        path,
        ...(isPagePath(path) && !isAsset(path) ? { unlisted: true as const } : {}),
      },
    ];
  });
}
