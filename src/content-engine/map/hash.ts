import { hash } from 'node:crypto';

/** SHA-256 as 43 characters of base64url: usable as a map key, short in JSON, easily converted to bytea. */
export type Hash = string;

/**
 * The hash of a trie node: the first 192 bits of its SHA-256, 32 characters of base64url. Inner nodes consist of
 * hashes, and each edit writes two or three: truncation saves a quarter, and a collision still takes 2^96 attempts.
 */
export type NodeHash = string;

export const NODE_HASH_BYTES = 24;

export const nodeHashOf = (bytes: Uint8Array): NodeHash =>
  hash('sha256', bytes, 'base64url').slice(0, (NODE_HASH_BYTES / 3) * 4);

export const hashOf = (bytes: Uint8Array | string): Hash => hash('sha256', bytes, 'base64url');

/** The bytes of either kind of hash, for a database column. */
export const hashToBytes = (hash: Hash | NodeHash): Buffer => Buffer.from(hash, 'base64url');

export const hashFromBytes = (bytes: Uint8Array): Hash | NodeHash =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');

/** Bits of a key per level: an inner node has at most 32 children. */
export const BITS = 5;

/** The position of an entry in the trie: 256 bits, one character per byte. */
export type Key = string;

/** Hashes the JSON text of the id, which escapes lone surrogates: as UTF-8, all of them would be one character. */
export const keyOf = (id: string): Key => hash('sha256', JSON.stringify(id), 'binary');

/** The five bits of a key that select the child on a level. */
export function slotAt(key: Key, level: number): number {
  const bit = level * BITS;
  const byte = bit >> 3;
  const pair = (key.charCodeAt(byte) << 8) | (key.charCodeAt(byte + 1) & 0xff);
  return (pair >> (16 - BITS - (bit & 7))) & 31;
}
