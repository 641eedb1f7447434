import { createHash, hash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Content, StoredFile } from './files.ts';
import { contentTooLarge } from './files-error.ts';

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

export interface StagedFile extends StoredFile {
  readonly path: string;
}

/** Writes content of unknown hash and size to a file. */
export async function stage(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StagedFile> {
  const digest = createHash('sha256');
  let size = 0;
  async function* measured() {
    for await (const chunk of content) {
      size += chunk.byteLength;
      if (size > maxBytes) throw contentTooLarge(maxBytes);
      digest.update(chunk);
      yield chunk;
    }
  }
  const staged = await write(folder, measured());
  return { path: staged, hash: digest.digest('hex'), size };
}

export async function stageBytes(folder: string, bytes: Uint8Array, known: StoredFile): Promise<StagedFile> {
  return { path: await write(folder, bytes), ...known };
}

/** To a file that only this user can read, synced when this returns. */
async function write(folder: string, content: Content): Promise<string> {
  const staged = path.join(folder, randomUUID());
  const file = await open(staged, 'wx', 0o600);
  try {
    await writeFile(file, content);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(staged, { force: true });
    throw error;
  }
  await file.close();
  return staged;
}

export function measure(bytes: Uint8Array, maxBytes: number): StoredFile {
  if (bytes.byteLength > maxBytes) throw contentTooLarge(maxBytes);
  return { hash: hash('sha256', bytes, 'hex'), size: bytes.byteLength };
}

/** Removes files that a crash left behind. Newer ones may belong to another process. */
export async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await rm(file, { force: true });
  }
}
