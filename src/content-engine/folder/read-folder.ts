import { INCLUDES } from '../links/index.ts';
import { hashOf, type Hash } from '../map/index.ts';
import {
  cleanTitle,
  type ContentRecord,
  type FileRecord,
  type FolderRecord,
  type ReusableContentRecord,
} from '../tree/index.ts';
import { CONFIGURATION, readConfiguration, type Configuration } from './configuration.ts';
import { readDefinitions } from './definitions.ts';
import { goOn, identify, type Identity } from './identity.ts';
import { inferOutline, titleFrom } from './infer-outline.ts';
import { readOutline, type Row } from './outline.ts';
import { isAsset, TAGS, VARIABLES } from './export-paths.ts';
import { kept, newReading, readBody, sourceMembers } from './import-context.ts';
import type {
  DescribedFile,
  FolderFile,
  FolderWarning,
  Reading,
  ReadFolderOptions,
} from './import-context.ts';
import { nameOf, readPages } from './read-pages.ts';
import { resolveLinks } from './resolve-links.ts';
import { splitInclude, textOf } from './split-file.ts';
import { parseSummary } from './summary/parse-summary.ts';

export interface FolderContent {
  readonly records: readonly ContentRecord[];
  /** Bodies, and values that are too long for their records. */
  readonly texts: ReadonlyMap<Hash, string>;
  /** Those that came with their bytes. */
  readonly files: ReadonlyMap<Hash, Uint8Array>;
  readonly warnings: readonly FolderWarning[];
}

/** The entries of a space that this folder is. `writeFolder` makes the same bytes of them again. */
export function readFolder(files: Iterable<FolderFile>, options: ReadFolderOptions): FolderContent {
  const reading = newReading(files, options);
  const configuration = readConfiguration(reading.text(CONFIGURATION));
  for (const message of configuration.problems) reading.warnings.push({ path: CONFIGURATION, message });
  const identity = identify(options.previous, new Set(reading.files.keys()), options.newId);
  const { folder, variables } = readDefinitions(reading, configuration);
  const { rows, items } = readRows(reading, configuration);
  const { pages, ids } = readPages(reading, configuration, rows, identity);
  const includes = readIncludes(reading, configuration, identity);
  const known = [withListed(reading, folder, rows, ids, items), ...variables, ...pages, ...includes];
  const bytes = new Map<Hash, Uint8Array>();
  const records = resolveLinks(reading, configuration.summary, [
    ...known,
    ...readFiles(reading, new Set(known.flatMap(pathsIn)), identity, bytes),
  ]);
  return {
    records: records.map((record) => goOn(options.previous, record, options.now)),
    texts: reading.texts,
    files: bytes,
    warnings: reading.warnings,
  };
}

/** Which files `readFolder` needs the bytes of, by the bytes of the configuration: pages and settings. */
export function isReadAsText(configuration: Uint8Array | undefined): (path: string) => boolean {
  const { root, summary } = readConfiguration(configuration && textOf(configuration));
  const named = new Set([CONFIGURATION, summary, root + TAGS, root + VARIABLES]);
  return (path) => isMarkdown(path) || named.has(path);
}

const isMarkdown = (path: string): boolean => /\.md$/i.test(path);
const isInclude = (path: string, { root }: Configuration): boolean =>
  isMarkdown(path) && path.startsWith(`${root}${INCLUDES}/`);

/** Remembers which page each entry of SUMMARY.md is, so that later its own line follows it. */
function withListed(
  reading: Reading,
  folder: FolderRecord,
  rows: readonly Row[],
  ids: readonly string[],
  items: number,
): FolderRecord {
  if (folder.summary === undefined || items === 0) return folder;
  const listed = Array.from<string | null>({ length: items }).fill(null);
  for (const [index, { item }] of rows.entries()) if (item !== undefined) listed[item] = ids[index] ?? null;
  return { ...folder, summary: { ...folder.summary, listed: kept(reading, listed) } };
}

/** The pages in reading order, and how many entries SUMMARY.md has. */
function readRows(
  reading: Reading,
  configuration: Configuration,
): { readonly rows: readonly Row[]; readonly items: number } {
  const { summary } = configuration;
  const isPage = (path: string): boolean =>
    isMarkdown(path) &&
    path !== summary &&
    !isInclude(path, configuration) &&
    reading.text(path) !== undefined;
  const text = reading.text(summary);
  if (text === undefined) {
    const candidates = [...reading.files.keys()].filter((path) => !/(?:^|\/)SUMMARY\.md$/.test(path));
    return { rows: inferOutline(candidates.filter(isPage), configuration), items: 0 };
  }
  const items = parseSummary(text);
  const { rows, warnings } = readOutline(items, summary, isPage);
  for (const warning of warnings) reading.warnings.push({ path: summary, ...warning });
  return { rows, items: items.length };
}

function readIncludes(
  reading: Reading,
  configuration: Configuration,
  identity: Identity,
): ReusableContentRecord[] {
  return [...reading.files.keys()].flatMap((path) => {
    const text = isInclude(path, configuration) ? reading.text(path) : undefined;
    if (text === undefined) return [];
    const pieces = splitInclude(text);
    const members = sourceMembers(reading, path, pieces);
    const id = identity.ofFile(path, { kind: 'reusable-content', ...members });
    readBody(reading, id, path, pieces);
    const title = includeTitle(pieces.source.fields.title, path);
    return [{ id, kind: 'reusable-content', title, ...members }];
  });
}

export const includeTitle = (title: string | undefined, path: string): string =>
  cleanTitle(title ?? '') ?? titleFrom(nameOf(path));

/** The files of the folder that a record speaks of. */
function pathsIn(record: ContentRecord): string[] {
  const sources =
    record.kind === 'folder'
      ? [record.summary, record.configuration, record.tagsSource]
      : 'source' in record
        ? [record.source]
        : [];
  return sources.flatMap((source) => source?.path ?? []);
}

/** All the rest. Pages that nothing lists are kept for the folder's sake only. */
function readFiles(
  { files, options }: Reading,
  known: ReadonlySet<string>,
  identity: Identity,
  found: Map<Hash, Uint8Array>,
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
    const { hash, size, ...description } = 'stored' in file ? file.stored : describe(file.bytes, name);
    if ('bytes' in file) found.set(hash, file.bytes);
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
