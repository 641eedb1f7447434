import { hash } from 'node:crypto';

/** SHA-256 as 43 characters of base64url: a key of a JavaScript map, short inside JSON, one call from bytea. */
export type Hash = string;

/**
 * Names a node of the trie: the first 192 bits of its SHA-256, 32 characters of base64url. Inner nodes are made of
 * these, and each edit writes two or three such nodes: a quarter less of them, and still 2^96 tries to find two alike.
 */
export type NodeHash = string;

export const NODE_HASH_BYTES = 24;

export const nodeHashOf = (bytes: Uint8Array): NodeHash =>
  hash('sha256', bytes, 'base64url').slice(0, (NODE_HASH_BYTES / 3) * 4);

export const hashOf = (bytes: Uint8Array | string): Hash => hash('sha256', bytes, 'base64url');

/** For a column of bytes; of both kinds of hashes. */
export const hashToBytes = (hash: Hash | NodeHash): Buffer => Buffer.from(hash, 'base64url');

export const hashFromBytes = (bytes: Uint8Array): Hash | NodeHash =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');

/** Bits of a key that one inner node looks at: 32 children at most. */
export const BITS = 5;

/** Where an entry stands in the trie: 256 bits, one character per byte. */
export type Key = string;

/** Of the id's JSON text, because lone surrogates are escaped in it: as UTF-8 they would all be one character. */
export const keyOf = (id: string): Key => hash('sha256', JSON.stringify(id), 'binary');

/** The five bits of a key that choose the child on a level. */
export function slotAt(key: Key, level: number): number {
  const bit = level * BITS;
  const byte = bit >> 3;
  const pair = (key.charCodeAt(byte) << 8) | (key.charCodeAt(byte + 1) & 0xff);
  return (pair >> (16 - BITS - (bit & 7))) & 31;
}
