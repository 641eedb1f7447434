import { isMap, parseDocument, stringify } from 'yaml';
import { isSame, type Hash } from '../map/index.ts';
import { findFolder, findPage, type SourceText, type Tree, type VariablesRecord } from '../tree/index.ts';
import { rootOf } from '../links/index.ts';
import { readVariables } from './definitions.ts';
import { titleFrom } from './infer-outline.ts';
import { exportPathsInSteps, TAGS, VARIABLES } from './export-paths.ts';
import { nameOf } from './read-pages.ts';
import { withReadmePage } from './readme-page.ts';
import { writeConfiguration } from './redirects.ts';
import { writeInclude, writePage } from './write-page.ts';
import { sortInSteps } from '../sort-in-steps.ts';
import { runToEnd } from '../run-to-end.ts';
import { writeSummary } from './summary/write-summary.ts';
import { loadInline, loadText, newExportInSteps, type ExportContext } from './export-context.ts';

export type WrittenFile = { readonly path: string } & ({ readonly text: string } | { readonly file: Hash });

/**
 * Exports a space as a folder. Unchanged files equal the imported ones byte for byte; a change affects only its own
 * lines. `textOf` provides the texts of `referencesOf`. Links by id are written as paths, because a folder has no ids.
 */
export const writeFolder = (space: Tree, textOf: (hash: Hash) => string): WrittenFile[] =>
  runToEnd(writeFolderInSteps(space, textOf));

/** The same, with pauses between the files. */
export function* writeFolderInSteps(
  space: Tree,
  textOf: (hash: Hash) => string,
): Generator<void, WrittenFile[], void> {
  const context = yield* newExportInSteps(space, textOf);
  const { tree } = context;
  const summary = yield* writeSummary(context);
  const files: WrittenFile[] = [];
  const { summary: summaryPath } = context.configuration;
  if (summary !== undefined) files.push({ path: summaryPath, text: summary });
  for (const [id, path] of context.paths) {
    yield;
    // The new SUMMARY.md replaces a file of that name that could not be read.
    if (summary !== undefined && path === summaryPath) continue;
    const record = tree.records.get(id);
    if (record?.kind === 'file') files.push({ path, file: record.hash });
    if (record?.kind === 'reusable-content') files.push({ path, text: writeInclude(context, record) });
    const page = findPage(tree, id);
    if (page?.type !== 'document') continue;
    const defaultTitle = summary === undefined ? titleFrom(nameOf(path)) : page.title;
    files.push({ path, text: writePage(context, page, defaultTitle) });
  }
  for (const record of tree.records.values()) {
    if (record.kind === 'variables') files.push(...writeVariables(context, record));
  }
  files.push(...writeDefinitions(context));
  return yield* sortInSteps(files, (a, b) => (a.path < b.path ? -1 : 1));
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
