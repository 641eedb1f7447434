import { keyOf, type NodeHash, type Key } from './hash.ts';
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
import { countOf, keyed, packInner, packLeaf, unpack, write, type Keyed, type Writer } from './pack.ts';
import { share } from './partition.ts';

/** A record to be there from now on, or null: none under this id. */
export type Changes<E extends Entry> = ReadonlyMap<string, E | null>;

/** A map as values: its root, and the nodes that the store does not have yet. */
export interface Written {
  readonly root: NodeHash;
  readonly nodes: ReadonlyMap<NodeHash, Uint8Array>;
}

interface KeyedChange<E extends Entry> {
  readonly id: string;
  readonly key: Key;
  readonly record: E | null;
}

/** At most 16 records, which may yet be joined with others, or an inner node. */
type Part<E extends Entry> =
  | { readonly few: readonly Keyed<E>[] }
  | { readonly count: number; readonly hash: NodeHash };

export async function apply<E extends Entry>(
  load: Load,
  root: NodeHash,
  changes: Changes<E>,
): Promise<Written> {
  if (changes.size === 0) return { root, nodes: new Map() };
  const wanted = [...changes].map(([id, record]) => keyedChange(id, record));
  const old = await loadPaths<E>(load, root, wanted);
  return finish({ old, nodes: new Map() }, (writer) => change(writer, nodeIn(old, root), 0, wanted));
}

/** The map of these entries, made at once. Of entries with one id the last counts. */
export function build<E extends Entry>(entries: Iterable<E>): Written {
  const byId = new Map<string, E>();
  for (const entry of entries) byId.set(entry.id, entry);
  const loose = Array.from(byId.values(), keyed);
  return finish<E>({ old: new Map(), nodes: new Map() }, (writer) => partOf(writer, 0, loose, []));
}

function keyedChange<E extends Entry>(id: string, record: E | null): KeyedChange<E> {
  if (record !== null && record.id !== id)
    throw new TypeError(`The record ${record.id} is stored under the id ${id}`);
  return { id, key: keyOf(id), record };
}

function finish<E extends Entry>(writer: Writer<E>, make: (writer: Writer<E>) => Part<E>): Written {
  const part = make(writer);
  if (!('few' in part)) return { root: part.hash, nodes: writer.nodes };
  const root = part.few.length === 0 ? emptyRoot : packLeaf(writer, part.few, []);
  return { root, nodes: writer.nodes };
}

function change<E extends Entry>(
  writer: Writer<E>,
  node: Node<E>,
  level: number,
  changes: readonly KeyedChange<E>[],
): Part<E> {
  if (!isInner(node)) return partOf(writer, level, changeRecords(node.records, changes), []);
  const kept: Child[] = [];
  const mayShrink = changes.some(({ record }) => record === null);
  const { ofChild, ofNone } = share(node.children, level, changes);
  const loose: (readonly Keyed<E>[])[] = [changeRecords([], ofNone)];
  for (const child of node.children) {
    const own = ofChild.get(child) ?? [];
    const part = own.length === 0 ? child : changeChild(writer, child, level, own, mayShrink);
    if ('few' in part) loose.push(part.few);
    else kept.push({ ...child, ...part });
  }
  if (mayShrink || loose.length > 1 || ofNone.length > 0) return partOf(writer, level, loose.flat(), kept);
  // Nothing came or went, so that the node keeps its form: by far the most frequent case.
  return { count: countOf([], kept), hash: write(writer, encodeInner(kept)) };
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
  // A leaf that grows too large is divided by the rest of this level's bits, so its records go back to that level.
  return { few: changeRecords(node.records, changes) };
}

function partOf<E extends Entry>(
  writer: Writer<E>,
  level: number,
  loose: readonly Keyed<E>[],
  kept: readonly Child[],
): Part<E> {
  const count = countOf(loose, kept);
  if (count <= LEAF_SIZE) return { few: [...loose, ...unpack(writer, kept)] };
  return { count, hash: packInner(writer, level, loose, kept) };
}

/** As they are after the changes. */
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
): Keyed<E>[] => replaceRecords(records, changes).map(keyed);
