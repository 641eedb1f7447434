import { addToList } from '../../../content-engine/add-to-list.ts';
import {
  pairSimilar,
  unitsOf,
  type FolderFile,
  type TextUnits,
} from '../../../content-engine/folder/index.ts';
import type { Hash, Load } from '../../../content-engine/map/index.ts';
import type { TreeEntry } from '../../../platform/git/index.ts';
import type { ManagedFiles } from '../../revisions/index.ts';
import type { Earlier } from './load-files.ts';

/** Characters of one side that are compared. Of more, only files with the same bytes are recognized. */
const MAX_CHARACTERS = 8_000_000;
/** Texts that are in memory together. */
const MAX_TEXTS = 50;

interface Text {
  readonly title?: string | undefined;
  readonly document: Hash;
}

/**
 * The earlier paths of files that were moved or renamed in the repository, by their new paths.
 */
export async function findMoved(
  load: Load,
  { records, files }: Pick<Earlier, 'records' | 'files'>,
  entries: readonly TreeEntry[],
  loaded: readonly FolderFile[],
): Promise<ReadonlyMap<string, string>> {
  const present = new Set(entries.map(({ path }) => path));
  const removed = new Set([...records.keys()].filter((path) => !present.has(path)));
  const added = new Map(entries.flatMap(({ path, oid }) => (records.has(path) ? [] : [[path, oid]])));
  if (removed.size === 0 || added.size === 0) return new Map();
  const moved = findSame(removed, added, files);
  for (const [to, from] of moved) {
    added.delete(to);
    removed.delete(from);
  }
  const before = new Map<string, Text>();
  for (const path of removed) {
    const record = records.get(path);
    if (record && 'document' in record) before.set(path, record);
  }
  const after = new Map<string, Text>();
  for (const file of loaded)
    if ('markdown' in file && added.has(file.path)) after.set(file.path, file.markdown);
  if (before.size === 0 || after.size === 0) return moved;
  const pairs = pairSimilar(await readUnits(load, before), await readUnits(load, after));
  for (const { from, to } of pairs) moved.set(to, from);
  return moved;
}

/**
 * Files with the same bytes. Object ids are those of the files as they were exported: a new title or a respelled link is in
 * them, and not in the text of the record.
 */
function findSame(
  removed: ReadonlySet<string>,
  added: ReadonlyMap<string, string>,
  files: ManagedFiles,
): Map<string, string> {
  const byId = new Map<string, string[]>();
  for (const path of removed) {
    const oid = files.get(path);
    if (oid !== undefined) addToList(byId, oid, path);
  }
  const moved = new Map<string, string>();
  for (const [path, oid] of added) {
    const candidates = byId.get(oid) ?? [];
    const sameName = candidates.findIndex((each) => nameOf(each) === nameOf(path));
    const [from] = candidates.splice(Math.max(sameName, 0), 1);
    if (from !== undefined) moved.set(path, from);
  }
  return moved;
}

async function readUnits(load: Load, texts: ReadonlyMap<string, Text>): Promise<Map<string, TextUnits>> {
  const units = new Map<string, TextUnits>();
  const rest = [...texts];
  for (let left = MAX_CHARACTERS; left > 0 && rest.length > 0;) {
    const batch = rest.splice(0, MAX_TEXTS);
    const bodies = await load(batch.map(([, { document }]) => document));
    for (const [index, [path, { title = '' }]] of batch.entries()) {
      const text = `${title}\n${Buffer.from(bodies[index] ?? []).toString()}`;
      left -= text.length;
      if (left > 0) units.set(path, unitsOf(text));
    }
  }
  return units;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
