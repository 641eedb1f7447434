import { expect } from 'vitest';
import {
  exportBody,
  listFiles,
  newExport,
  readFolder,
  recordOwnTitle,
  untitledPages,
  writeBody,
  type FolderContent,
  type WrittenFile,
} from '../src/content-engine/folder/index.ts';
import type { Hash } from '../src/content-engine/map/index.ts';
import { buildTree, findBySource, type DocumentPage, type Tree } from '../src/content-engine/tree/index.ts';

/** Folders as values: path → text. */
export type Texts = Readonly<Record<string, string | Uint8Array>>;
const encoder = new TextEncoder();
export const toBytes = (content: string | Uint8Array) =>
  typeof content === 'string' ? encoder.encode(content) : content;

export function read(folder: Texts, previous?: Tree, prefix = 'id'): FolderContent & { tree: Tree } {
  let count = 0;
  const content = readFolder(
    Object.entries(folder).map(([path, content]) => ({ path, bytes: toBytes(content) })),
    { newId: () => `${prefix}${count++}`, now: 1000, ...(previous && { previous }) },
  );
  const tree = buildTree(content.records);
  expect(tree.problems.size).toBe(0);
  return { ...content, tree };
}

/** A space as a folder, from all texts at once: the server has a few bodies in memory. */
export function writeFolder(space: Tree, textOf: (hash: Hash) => string): WrittenFile[] {
  const context = newExport(space, textOf);
  for (const page of untitledPages(context)) recordOwnTitle(context, page, exportBody(context, page));
  return listFiles(context).map((file) =>
    'record' in file ? writeBody(context, file, exportBody(context, file.record)) : file,
  );
}

export const write = (tree: Tree, content: FolderContent, more: ReadonlyMap<string, string> = new Map()) =>
  Object.fromEntries(
    writeFolder(tree, (hash) => content.texts.get(hash) ?? more.get(hash) ?? '').map((file) => [
      file.path,
      'text' in file ? file.text : new TextDecoder().decode(content.files.get(file.file)),
    ]),
  );

/** The page of a source file. */
export const at = (tree: Tree, path: string): DocumentPage => findBySource(tree, path) as DocumentPage;
