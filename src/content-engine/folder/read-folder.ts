import { INCLUDES } from '../links/index.ts';
import { mapInSteps } from '../in-steps.ts';
import { runToEnd } from '../run-to-end.ts';
import { hashOf, type Hash } from '../map/index.ts';
import {
  cleanTitle,
  type ContentRecord,
  type FileRecord,
  type FolderRecord,
  type ReusableContentRecord,
} from '../tree/index.ts';
import { CONFIGURATION, readConfiguration, type Configuration } from './configuration.ts';
import { reportMissing } from './configured-files.ts';
import { readDefinitions } from './definitions.ts';
import type { DescribedFile } from './described-file.ts';
import { identify, withPreviousMembers, type Identity } from './identity.ts';
import { inferOutline, titleFrom } from './infer-outline.ts';
import { readOutlineInSteps, type OutlineRow } from './outline.ts';
import { isAsset, TAGS, VARIABLES } from './export-paths.ts';
import { isText, newImport, sourceMembers, storeInline, useMarkdown } from './import-context.ts';
import type { FolderFile, FolderWarning, ImportContext, ReadFolderOptions } from './import-context.ts';
import { nameOf, readPages } from './read-pages.ts';
import { resolveLinks } from './resolve-links.ts';
import { textOf } from './split-file.ts';
import { parseSummaryInSteps } from './summary/parse-summary.ts';

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

/** Imports a folder. `writeFolder` exports the same bytes. */
export const readFolder = (files: Iterable<FolderFile>, options: ReadFolderOptions): FolderContent =>
  runToEnd(readFolderInSteps(files, options));

/** The same, with pauses between the pages. */
export function* readFolderInSteps(
  files: Iterable<FolderFile>,
  options: ReadFolderOptions,
): Generator<void, FolderContent, void> {
  const context = newImport(files, options);
  yield;
  const configuration = readConfiguration(context.text(CONFIGURATION));
  for (const problem of configuration.problems) context.warnings.push({ path: CONFIGURATION, ...problem });
  yield;
  reportMissing(context, configuration);
  yield;
  const identity = yield* identify(options.previous, new Set(context.files.keys()), options.newId);
  const { folder, variables } = yield* readDefinitions(context, configuration);
  yield;
  const { rows: outline, items, isTooLong } = yield* readRows(context, configuration);
  const rows = outline.slice(0, options.maxEntries);
  yield;
  const { pages, ids } = yield* readPages(context, configuration, rows, identity);
  const includes = readIncludes(context, configuration, identity);
  yield;
  const known = [withListed(context, folder, rows, ids, items), ...variables, ...pages, ...includes];
  const bytes = new Map<Hash, Uint8Array>();
  const unlisted: string[] = [];
  const records = yield* resolveLinks(context, configuration.summary, [
    ...known,
    ...readFiles(context, new Set(known.flatMap(pathsIn)), identity, { bytes, unlisted }),
  ]);
  return {
    records: yield* mapInSteps(records, (record) =>
      withPreviousMembers(options.previous, record, options.now),
    ),
    texts: context.texts,
    files: bytes,
    unlisted,
    warnings: context.warnings,
    beyondLimit: outline.slice(rows.length),
    isSummaryTooLong: isTooLong === true,
  };
}

/** How a file is read, by its path: settings as bytes, Markdown as bytes or as `StoredMarkdown`, others stored. */
export function contentKinds(
  configuration: Uint8Array | undefined,
): (path: string) => 'setting' | 'page' | 'include' | 'file' {
  const read = readConfiguration(configuration && textOf(configuration));
  const { root, summary } = read;
  const settings = new Set([CONFIGURATION, summary, root + TAGS, root + VARIABLES]);
  return (path) => {
    if (settings.has(path)) return 'setting';
    if (!isMarkdown(path)) return 'file';
    return isInclude(path, read) ? 'include' : 'page';
  };
}

const isMarkdown = (path: string): boolean => /\.md$/i.test(path);
const isInclude = (path: string, { root }: Configuration): boolean =>
  isMarkdown(path) && path.startsWith(`${root}${INCLUDES}/`);

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

/** Entries of SUMMARY.md, most of which can be no page: a million of them take 1 GB. */
export const MAX_ITEMS = 160_000;

/** The pages in reading order, and the number of entries of SUMMARY.md. */
interface Rows {
  readonly rows: readonly OutlineRow[];
  readonly items: number;
  readonly isTooLong?: boolean;
}

function* readRows(context: ImportContext, configuration: Configuration): Generator<void, Rows, void> {
  const { summary } = configuration;
  const isPage = (path: string): boolean =>
    isMarkdown(path) && path !== summary && !isInclude(path, configuration) && isText(context, path);
  const { outline } = context.options;
  if (outline)
    return { rows: outline.filter((row) => row.type !== 'document' || isPage(row.path)), items: 0 };
  const text = context.text(summary);
  if (text === undefined) {
    const candidates = [...context.files.keys()].filter((path) => !/(?:^|\/)SUMMARY\.md$/.test(path));
    return { rows: yield* inferOutline(candidates.filter(isPage), configuration), items: 0 };
  }
  const items = yield* parseSummaryInSteps(text, MAX_ITEMS + 1);
  if (items.length > MAX_ITEMS) return { rows: [], items: 0, isTooLong: true };
  const { rows, warnings, repeated } = yield* readOutlineInSteps(items, summary, isPage);
  for (const warning of warnings) context.warnings.push({ path: summary, ...warning, isEntry: true });
  for (const warning of repeated) context.warnings.push({ path: summary, ...warning });
  return { rows, items: items.length };
}

function readIncludes(
  context: ImportContext,
  configuration: Configuration,
  identity: Identity,
): ReusableContentRecord[] {
  return [...context.files.keys()].flatMap((path) => {
    const markdown = isInclude(path, configuration) ? context.markdown(path, 'include') : undefined;
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
        ...(isMarkdown(path) && !isAsset(path) ? { unlisted: true as const } : {}),
      },
    ];
  });
}
