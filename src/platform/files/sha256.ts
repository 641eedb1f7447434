import { createHash } from 'node:crypto';
import { pauseBetweenSlices } from '../threads/slices.ts';

/** Takes a few milliseconds. */
const PIECE = 2 * 1024 * 1024;

/** The hash of a file, which may have many megabytes: with pauses for other requests. */
export async function sha256(bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash('sha256');
  const pause = pauseBetweenSlices();
  for (let at = 0; at < bytes.length; at += PIECE) {
    hash.update(bytes.subarray(at, at + PIECE));
    await pause();
  }
  return hash.digest();
}
