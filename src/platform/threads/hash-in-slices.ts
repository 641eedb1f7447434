import type { Hash } from 'node:crypto';
import { pauseBetweenSlices } from './slices.ts';

/** Takes a few milliseconds. */
const PIECE = 2 * 1024 * 1024;

/** Adds a file, which may have many megabytes, to a hash: with pauses for other requests. */
export async function hashInSlices(hash: Hash, bytes: Uint8Array): Promise<Hash> {
  const pause = pauseBetweenSlices();
  for (let at = 0; at < bytes.length; at += PIECE) {
    hash.update(bytes.subarray(at, at + PIECE));
    await pause();
  }
  return hash;
}
