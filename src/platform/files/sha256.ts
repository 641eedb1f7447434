import { createHash } from 'node:crypto';
import { hashInSlices } from '../threads/hash-in-slices.ts';

export async function sha256(bytes: Uint8Array): Promise<Buffer> {
  return (await hashInSlices(createHash('sha256'), bytes)).digest();
}
