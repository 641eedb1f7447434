import { keyOf, type Key, type NodeHash } from './hash.ts';
import { nodeIn, type Load } from './load.ts';
import { loadPaths } from './load-paths.ts';
import {
  emptyRoot,
  encodeInner,
  encodeLeaf,
  isInner,
  LEAF_SIZE,
  type Child,
  type Entry,
  type Node,
} from './node.ts';
import { countOf, keyed, packInner, packLeaf, unpack, write, type KeyedRecord, type Writer } from './pack.ts';
import { partitionByChild } from './partition.ts';

/** Records to set; null deletes. */
export type Changes<E extends Entry> = ReadonlyMap<string, E | null>;

/** A changed map: its root, and the new nodes to store. */
export interface Written {
  readonly root: NodeHash;
  readonly nodes: ReadonlyMap<NodeHash, Uint8Array>;
}

interface KeyedChange<E extends Entry> {
  readonly id: string;
  readonly key: Key;
  readonly record: E | null;
}

/** A subtree: at most 16 records, which may still be merged with neighbours, or an inner node. */
type Part<E extends Entry> =
  | { readonly records: readonly KeyedRecord<E>[] }
  | { readonly count: number; readonly hash: NodeHash };

export async function apply<E extends Entry>(
  load: Load,
  root: NodeHash,
  changes: Changes<E>,
): Promise<Written> {
  if (changes.size === 0) return { root, nodes: new Map() };
  const wanted = [...changes].map(([id, record]) => keyedChange(id, record));
  const old = await loadPaths<E>(load, root, wanted);
  const writer: Writer<E> = { old, nodes: new Map() };
  return finish(writer, change(writer, nodeIn(old, root), 0, wanted));
}

/** Builds the map of these entries. Of entries with the same id, the last one wins. */
export function build<E extends Entry>(entries: Iterable<E>): Written {
  const byId = new Map<string, E>();
  for (const entry of entries) byId.set(entry.id, entry);
  const loose = Array.from(byId.values(), keyed);
  const writer: Writer<E> = { old: new Map(), nodes: new Map() };
  return finish(writer, partOf(writer, 0, loose, []));
}

function keyedChange<E extends Entry>(id: string, record: E | null): KeyedChange<E> {
  if (record !== null && record.id !== id)
    throw new TypeError(`The record ${record.id} is stored under the id ${id}`);
  return { id, key: keyOf(id), record };
}

function finish<E extends Entry>(writer: Writer<E>, part: Part<E>): Written {
  if (!('records' in part)) return { root: part.hash, nodes: writer.nodes };
  const root = part.records.length === 0 ? emptyRoot : packLeaf(writer, part.records, []);
  return { root, nodes: writer.nodes };
}

function change<E extends Entry>(
  writer: Writer<E>,
  node: Node<E>,
  level: number,
  changes: readonly KeyedChange<E>[],
): Part<E> {
  if (!isInner(node)) return partOf(writer, level, changeRecords(node.records, changes), []);
  const subtrees: Child[] = [];
  const mayShrink = changes.some(({ record }) => record === null);
  const { byChild, unassigned } = partitionByChild(node.children, level, changes);
  const loose: (readonly KeyedRecord<E>[])[] = [changeRecords([], unassigned)];
  for (const child of node.children) {
    const own = byChild.get(child) ?? [];
    const part = own.length === 0 ? child : changeChild(writer, child, level, own, mayShrink);
    if ('records' in part) loose.push(part.records);
    else subtrees.push({ ...child, ...part });
  }
  if (mayShrink || loose.length > 1 || unassigned.length > 0)
    return partOf(writer, level, loose.flat(), subtrees);
  // Nothing was added or removed, so the node keeps its structure: by far the most frequent case.
  return { count: countOf([], subtrees), hash: write(writer, encodeInner(subtrees)) };
}

function changeChild<E extends Entry>(
  writer: Writer<E>,
  child: Child,
  level: number,
  changes: readonly KeyedChange<E>[],
  mayShrink: boolean,
): Part<E> {
  const node = nodeIn(writer.old, child.hash);
  if (isInner(node)) return change(writer, node, level + 1, changes);
  const ids = new Set(node.records.map(({ id }) => id));
  if (!mayShrink && changes.every(({ id }) => ids.has(id))) {
    const hash = write(writer, encodeLeaf(replaceRecords(node.records, changes)));
    return { count: child.count, hash };
  }
  // The parent repacks the records: a leaf that grows too large is split by the remaining bits of the parent's level.
  return { records: changeRecords(node.records, changes) };
}

function partOf<E extends Entry>(
  writer: Writer<E>,
  level: number,
  loose: readonly KeyedRecord<E>[],
  subtrees: readonly Child[],
): Part<E> {
  const count = countOf(loose, subtrees);
  if (count <= LEAF_SIZE) return { records: [...loose, ...unpack(writer, subtrees)] };
  return { count, hash: packInner(writer, level, loose, subtrees) };
}

/** The records after the changes. */
function replaceRecords<E extends Entry>(
  records: readonly E[],
  changes: readonly KeyedChange<E>[],
): readonly E[] {
  const ids = new Set(changes.map(({ id }) => id));
  const rest = records.filter(({ id }) => !ids.has(id));
  return [...rest, ...changes.flatMap(({ record }) => (record === null ? [] : [record]))];
}

const changeRecords = <E extends Entry>(
  records: readonly E[],
  changes: readonly KeyedChange<E>[],
): KeyedRecord<E>[] => replaceRecords(records, changes).map(keyed);
