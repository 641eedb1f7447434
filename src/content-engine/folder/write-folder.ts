import { isMap, parseDocument, stringify } from 'yaml';
import { isSame, type Hash } from '../map/index.ts';
import { findFolder, findPage, type SourceText, type Tree, type VariablesRecord } from '../tree/index.ts';
import { rootOf } from '../links/index.ts';
import { readVariables } from './definitions.ts';
import { titleFrom } from './infer-outline.ts';
import { TAGS, VARIABLES } from './export-paths.ts';
import { nameOf } from './read-pages.ts';
import { writeConfiguration } from './redirects.ts';
import { writeInclude, writePage } from './write-page.ts';
import { writeSummary } from './summary/write-summary.ts';
import { loaded, loadedText, newWriting, type Writing } from './export-context.ts';

export type WrittenFile = { readonly path: string } & ({ readonly text: string } | { readonly file: Hash });

/**
 * The folder that a space is. What was read from one and did not change leaves byte for byte the same; a change touches
 * the lines that say it. `textOf` knows the texts of `referencesOf`. Links by id are written as paths, since the ids
 * stay here.
 */
export function writeFolder(given: Tree, textOf: (hash: Hash) => string): WrittenFile[] {
  const writing = newWriting(given, textOf);
  const { tree } = writing;
  const summary = writeSummary(writing);
  const files: WrittenFile[] = [];
  const { summary: summaryPath } = writing.configuration;
  if (summary !== undefined) files.push({ path: summaryPath, text: summary });
  for (const [id, path] of writing.paths) {
    // One that could not be read gives way to one that can.
    if (summary !== undefined && path === summaryPath) continue;
    const record = tree.records.get(id);
    if (record?.kind === 'file') files.push({ path, file: record.hash });
    if (record?.kind === 'reusable-content') files.push({ path, text: writeInclude(writing, record) });
    const page = findPage(tree, id);
    if (page?.type !== 'document') continue;
    const given = summary === undefined ? titleFrom(nameOf(path)) : page.title;
    files.push({ path, text: writePage(writing, page, given) });
  }
  for (const record of tree.records.values()) {
    if (record.kind === 'variables') files.push(...writeVariables(writing, record));
  }
  files.push(...writeDefinitions(writing));
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function writeDefinitions(writing: Writing): WrittenFile[] {
  const { configuration, tags, tagsSource } = findFolder(writing.tree) ?? {};
  const file = (source: SourceText | undefined) =>
    source === undefined ? [] : [{ path: source.path, text: loaded(writing, source.text) }];
  const newTags = tagsSource === undefined && tags !== undefined;
  return [
    ...(configuration
      ? [{ path: configuration.path, text: writeConfiguration(writing, configuration) }]
      : []),
    ...file(tagsSource),
    ...(newTags ? [{ path: rootOf(writing.tree) + TAGS, text: stringify(tags) }] : []),
  ];
}

function writeVariables(writing: Writing, { values, source }: VariablesRecord): WrittenFile[] {
  const path = source?.path ?? rootOf(writing.tree) + VARIABLES;
  const before = loadedText(writing, source);
  if (before === undefined)
    return Object.keys(values).length === 0 ? [] : [{ path, text: stringify(values) }];
  const said = readVariables(before).values;
  if (isSame(said, values)) return [{ path, text: before }];
  const document = parseDocument(before, { logLevel: 'silent', uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return [{ path, text: stringify(values) }];
  for (const name of Object.keys(said)) if (!Object.hasOwn(values, name)) document.delete(name);
  for (const [name, value] of Object.entries(values)) if (said[name] !== value) document.set(name, value);
  return [{ path, text: document.toString({ lineWidth: 0 }) }];
}
