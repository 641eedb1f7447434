import { isMap, parseDocument, stringify } from 'yaml';
import { isSame, type Hash } from '../../map/index.ts';
import {
  findFolder,
  findPage,
  walkPages,
  withoutExpansions,
  type DocumentPage,
  type SourceText,
  type Tree,
  type VariablesRecord,
} from '../../tree/index.ts';
import { rootOf } from '../../links/index.ts';
import { readVariables } from '../definitions.ts';
import { titleFrom } from '../read/infer-outline.ts';
import { exportPaths, TAGS, VARIABLES } from './export-paths.ts';
import { nameOf } from '../read/read-pages.ts';
import { withReadmePage } from './readme-page.ts';
import { writeConfiguration } from '../redirects.ts';
import { dependsOnBody, writeInclude, writePage } from './write-page.ts';
import { writeSummary } from '../summary/write-summary.ts';
import { loadInline, loadText, type BodyRecord, type ExportContext } from './export-context.ts';

export type WrittenFile = { readonly path: string } & ({ readonly text: string } | { readonly file: Hash });

/** A file that is written from a body, by `writeBody`. */
export interface BodyFile {
  readonly path: string;
  readonly record: BodyRecord;
  /** The title that an import would give the page if its file has none. */
  readonly defaultTitle?: string;
}

/** The pages for which `recordOwnTitle` must be called before `listFiles`. */
export function untitledPages({ tree }: ExportContext): DocumentPage[] {
  const pages: DocumentPage[] = [];
  for (const { page } of walkPages(tree)) {
    if (page.type === 'document' && dependsOnBody(page)) pages.push(page);
  }
  return pages;
}

/**
 * All files of an exported space, by path. Unchanged files equal the imported ones byte for byte; a change affects only its
 * own lines. Links by id are written as paths, because a folder has no ids. Files with a body are written by `writeBody`.
 */
export function listFiles(context: ExportContext): (WrittenFile | BodyFile)[] {
  const { tree } = context;
  const summary = writeSummary(context);
  const files: (WrittenFile | BodyFile)[] = [];
  const { summary: summaryPath } = context.configuration;
  const isInferred = summary === undefined && findFolder(tree)?.navigation === undefined;
  if (summary !== undefined) files.push({ path: summaryPath, text: summary });
  for (const [id, path] of context.paths) {
    // The new SUMMARY.md replaces a file of that name that could not be read.
    if (summary !== undefined && path === summaryPath) continue;
    const record = tree.records.get(id);
    if (record?.kind === 'file') files.push({ path, file: record.hash });
    if (record?.kind === 'reusable-content') files.push({ path, record });
    const page = findPage(tree, id);
    if (page?.type !== 'document') continue;
    const defaultTitle = isInferred ? titleFrom(nameOf(path)) : page.title;
    files.push({ path, record: page, defaultTitle });
  }
  for (const record of tree.records.values()) {
    if (record.kind === 'variables') files.push(...writeVariables(context, record));
  }
  files.push(...writeDefinitions(context));
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** `body`: with links that resolve in the folder (`exportBody`). */
export function writeBody(
  context: ExportContext,
  { path, record, defaultTitle }: BodyFile,
  body: string,
): WrittenFile {
  if (record.kind === 'page') return { path, text: writePage(context, record, body, defaultTitle) };
  return { path, text: writeInclude(context, record, body) };
}

/** The path of each entry in the exported folder, by id. */
export const folderPaths = (tree: Tree): Map<string, string> =>
  exportPaths(withReadmePage(withoutExpansions(tree)));

function writeDefinitions(context: ExportContext): WrittenFile[] {
  const { configuration, tags, tagsSource } = findFolder(context.tree) ?? {};
  const file = (source: SourceText | undefined) =>
    source === undefined ? [] : [{ path: source.path, text: loadInline(context, source.text) }];
  const newTags = tagsSource === undefined && tags !== undefined;
  return [
    ...(configuration
      ? [{ path: configuration.path, text: writeConfiguration(context, configuration) }]
      : []),
    ...file(tagsSource),
    ...(newTags ? [{ path: rootOf(context.tree) + TAGS, text: stringify(tags) }] : []),
  ];
}

function writeVariables(context: ExportContext, { values, source }: VariablesRecord): WrittenFile[] {
  const path = source?.path ?? rootOf(context.tree) + VARIABLES;
  const before = loadText(context, source);
  if (before === undefined)
    return Object.keys(values).length === 0 ? [] : [{ path, text: stringify(values) }];
  const current = readVariables(before).values;
  if (isSame(current, values)) return [{ path, text: before }];
  const document = parseDocument(before, { logLevel: 'silent', uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return [{ path, text: stringify(values) }];
  for (const name of Object.keys(current)) if (!Object.hasOwn(values, name)) document.delete(name);
  for (const [name, value] of Object.entries(values)) if (current[name] !== value) document.set(name, value);
  return [{ path, text: document.toString({ lineWidth: 0 }) }];
}
