import { isMap, parseDocument, stringify } from 'yaml';
import { isSame, type Hash } from '../map/index.ts';
import {
  findFolder,
  findPage,
  walkPages,
  type DocumentPage,
  type SourceText,
  type Tree,
  type VariablesRecord,
} from '../tree/index.ts';
import { rootOf } from '../links/index.ts';
import { readVariables } from './definitions.ts';
import { titleFrom } from './infer-outline.ts';
import { exportPathsInSteps, TAGS, VARIABLES } from './export-paths.ts';
import { nameOf } from './read-pages.ts';
import { withReadmePage } from './readme-page.ts';
import { writeConfiguration } from './redirects.ts';
import { dependsOnBody, recordOwnTitle, writeInclude, writePage } from './write-page.ts';
import { eachInSteps } from '../in-steps.ts';
import { sortInSteps } from '../sort-in-steps.ts';
import { runToEnd } from '../run-to-end.ts';
import { writeSummary } from './summary/write-summary.ts';
import {
  exportBodyInSteps,
  loadInline,
  loadText,
  newExportInSteps,
  type BodyRecord,
  type ExportContext,
} from './export-context.ts';

export type WrittenFile = { readonly path: string } & ({ readonly text: string } | { readonly file: Hash });

/** A file that is written from a body, by `writeBody`. */
export interface BodyFile {
  readonly path: string;
  readonly record: BodyRecord;
  /** The title that an import would give the page if its file has none. */
  readonly defaultTitle?: string;
}

/**
 * Exports a space as a folder. Unchanged files equal the imported ones byte for byte; a change affects only its own
 * lines. `textOf` provides the texts of `referencesOf`. Links by id are written as paths, because a folder has no ids.
 * All texts at once: the server writes the same files with a few bodies in memory (`folderOf`).
 */
export const writeFolder = (space: Tree, textOf: (hash: Hash) => string): WrittenFile[] =>
  runToEnd(writeFolderInSteps(space, textOf));

/** The same, with pauses. */
export function* writeFolderInSteps(
  space: Tree,
  textOf: (hash: Hash) => string,
): Generator<void, WrittenFile[], void> {
  const context = yield* newExportInSteps(space, textOf);
  for (const page of yield* untitledPagesInSteps(context)) {
    recordOwnTitle(context, page, yield* exportBodyInSteps(context, page));
    yield;
  }
  const written: WrittenFile[] = [];
  for (const file of yield* listFilesInSteps(context)) {
    yield;
    if (!('record' in file)) written.push(file);
    else written.push(writeBody(context, file, yield* exportBodyInSteps(context, file.record)));
  }
  return written;
}

/** The pages for which `recordOwnTitle` must be called before `listFilesInSteps`. */
export function* untitledPagesInSteps({ tree }: ExportContext): Generator<void, DocumentPage[], void> {
  const pages: DocumentPage[] = [];
  yield* eachInSteps(walkPages(tree), ({ page }) => {
    if (page.type === 'document' && dependsOnBody(page)) pages.push(page);
  });
  return pages;
}

/** All files of the folder, by path. Files with a body are not written yet. */
export function* listFilesInSteps(context: ExportContext): Generator<void, (WrittenFile | BodyFile)[], void> {
  const { tree } = context;
  const summary = yield* writeSummary(context);
  const files: (WrittenFile | BodyFile)[] = [];
  const { summary: summaryPath } = context.configuration;
  if (summary !== undefined) files.push({ path: summaryPath, text: summary });
  yield* eachInSteps(context.paths, ([id, path]) => {
    // The new SUMMARY.md replaces a file of that name that could not be read.
    if (summary !== undefined && path === summaryPath) return;
    const record = tree.records.get(id);
    if (record?.kind === 'file') files.push({ path, file: record.hash });
    if (record?.kind === 'reusable-content') files.push({ path, record });
    const page = findPage(tree, id);
    if (page?.type !== 'document') return;
    const defaultTitle = summary === undefined ? titleFrom(nameOf(path)) : page.title;
    files.push({ path, record: page, defaultTitle });
  });
  for (const record of tree.records.values()) {
    if (record.kind === 'variables') files.push(...writeVariables(context, record));
  }
  files.push(...writeDefinitions(context));
  return yield* sortInSteps(files, (a, b) => (a.path < b.path ? -1 : 1));
}

/** `body`: with links that resolve in the folder (`movedLinksInSteps`). */
export function writeBody(
  context: ExportContext,
  { path, record, defaultTitle }: BodyFile,
  body: string,
): WrittenFile {
  if (record.kind === 'page') return { path, text: writePage(context, record, body, defaultTitle) };
  return { path, text: writeInclude(context, record, body) };
}

/** The path of each entry in the folder that `writeFolder` writes, by id. */
export const folderPaths = (tree: Tree): Map<string, string> => runToEnd(folderPathsInSteps(tree));

export const folderPathsInSteps = (tree: Tree): Generator<void, Map<string, string>, void> =>
  exportPathsInSteps(withReadmePage(tree));

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
