import { canonicalText } from './canonical.ts';
import { BITS, hashFromBytes, NODE_HASH_BYTES, nodeHashOf, type NodeHash } from './hash.ts';

/** A value of the map: a JSON object that contains its id. */
export interface Entry {
  readonly id: string;
}

/** Maximum number of records of a leaf. A larger one becomes an inner node. */
export const LEAF_SIZE = 16;

/**
 * A child of an inner node: all entries whose next `bits` bits equal those of `slot`. Above 16 entries, an inner node.
 */
export interface Child {
  readonly slot: number;
  readonly bits: number;
  readonly count: number;
  readonly hash: NodeHash;
}

export interface Leaf<E extends Entry> {
  readonly records: readonly E[];
}

export interface Inner {
  readonly children: readonly Child[];
}

export type Node<E extends Entry> = Leaf<E> | Inner;

export const isInner = <E extends Entry>(node: Node<E>): node is Inner => 'children' in node;

/** The first byte is kind and version, so that the encoding can change without a migration. */
const LEAF_V1 = 1;
const INNER_V1 = 2;

/** Whether bytes are those of an inner node: hashes, which cannot be compressed. */
export const isEncodedInner = (bytes: Uint8Array): boolean => bytes[0] === INNER_V1;

/** A byte for slot and bits, a count of up to 2^49, a hash. */
const MAX_CHILD_BYTES = 1 + 7 + NODE_HASH_BYTES;

export function encodeLeaf<E extends Entry>(records: readonly E[]): Uint8Array {
  const sorted = records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const text = Buffer.from(`\u0000${canonicalText(sorted)}`);
  text[0] = LEAF_V1;
  return text;
}

export function encodeInner(children: readonly Child[]): Uint8Array {
  const bytes = Buffer.alloc(1 + children.length * MAX_CHILD_BYTES);
  bytes[0] = INNER_V1;
  let at = 1;
  for (const { slot, bits, count, hash } of children) {
    bytes[at++] = (slot << 3) | bits;
    let rest = count;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
    at += bytes.write(hash, at, 'base64url');
  }
  return bytes.subarray(0, at);
}

export function decode<E extends Entry>(bytes: Uint8Array): Node<E> {
  if (bytes[0] === LEAF_V1) return { records: JSON.parse(textOf(bytes)) as E[] };
  if (isEncodedInner(bytes)) return { children: decodeChildren(bytes) };
  throw new Error(`A node of the map has the unknown type ${bytes[0]}`);
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1).toString('utf8');

function decodeChildren(bytes: Uint8Array): Child[] {
  const children: Child[] = [];
  let at = 1;
  const next = () => bytes[at++] ?? 0;
  while (at < bytes.length) {
    const place = next();
    let count = 0;
    let unit = 1;
    let byte = next();
    for (; byte > 0x7f; byte = next()) {
      count += (byte & 0x7f) * unit;
      unit *= 128;
    }
    count += byte * unit;
    const hash = hashFromBytes(bytes.subarray(at, at + NODE_HASH_BYTES));
    at += NODE_HASH_BYTES;
    children.push({ slot: place >> 3, bits: place & 7, count, hash });
  }
  return children;
}

/** The number of slots of its parent that a child covers. */
export const widthOf = ({ bits }: { readonly bits: number }): number => 1 << (BITS - bits);

/** The root of the empty map, which is never stored or loaded. */
export const emptyRoot: NodeHash = nodeHashOf(encodeLeaf([]));
