import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explainDiskError } from './files/store/files-error.ts';

/** A temporary file of its own. */
export interface Spool {
  readonly path: string;
  readonly size: number;
  dispose(): Promise<void>;
}

export class SpoolLimitExceeded extends Error {}

const ONLY_OWN = 0o600;

/** Writes a stream to a temporary file, so that it need not fit into memory. The caller disposes of it. */
export async function spool(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spool> {
  const target = path.join(tmpdir(), `octavo-${randomUUID()}`);
  const dispose = () => rm(target, { force: true });
  let file: FileHandle | undefined;
  let size = 0;
  try {
    file = await open(target, 'wx', ONLY_OWN);
    for await (const chunk of content) {
      size += chunk.length;
      if (size > maxBytes) throw new SpoolLimitExceeded(`The content exceeds ${maxBytes} bytes.`);
      await file.writeFile(chunk);
    }
    await file.close();
    return { path: target, size, dispose };
  } catch (error) {
    await file?.close().catch(() => undefined);
    await dispose();
    throw explainDiskError(error, tmpdir());
  }
}
