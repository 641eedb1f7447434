import type { Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type Files, isHash, keyOf, type ListedFile, RENEW_AFTER_MS, type StoredFile } from './files.ts';
import { explainDiskError } from './files-error.ts';
import { measure, stage, stageBytes, sweep, type StagedFile } from './stage.ts';

const PRIVATE = { recursive: true, mode: 0o700 } as const;

/** Files below a folder, as `ab/cd/<hash>`. Several processes may share it. */
export async function openLocalFiles(root: string): Promise<Files> {
  const staging = path.join(root, 'tmp');
  const pathOf = (hash: string) => path.join(root, keyOf(hash));
  const durable = new Set<string>();
  try {
    await mkdir(staging, PRIVATE);
    await sweep(staging);
  } catch (error) {
    throw explainDiskError(error, root);
  }

  /** A new name is durable when its folder is synced, and so on upwards: once per folder and process. */
  async function syncFolders(folder: string): Promise<void> {
    await syncFolder(folder);
    if (folder === root || durable.has(folder)) return;
    await syncFolders(path.dirname(folder));
    durable.add(folder);
  }

  async function keep(staged: string, hash: string): Promise<void> {
    const final = pathOf(hash);
    await mkdir(path.dirname(final), PRIVATE);
    await rename(staged, final);
    await syncFolders(path.dirname(final));
  }

  /** Whether the content is stored already; then its time is renewed. */
  async function renew({ hash, size }: StoredFile): Promise<boolean> {
    const found = await find(pathOf(hash));
    // A wrong size means a damaged file: it is replaced.
    if (found?.size !== size) return false;
    // The process that stored it may have crashed before the sync.
    await syncFolders(path.dirname(pathOf(hash)));
    if (Date.now() - found.mtimeMs < RENEW_AFTER_MS) return true;
    const now = new Date();
    return utimes(pathOf(hash), now, now).then(
      () => true,
      () => false,
    );
  }

  /** Renames a staged file to its final name, or removes it if the content is stored already. */
  async function commit({ path: staged, hash, size }: StagedFile): Promise<StoredFile> {
    try {
      if (!(await renew({ hash, size }))) await keep(staged, hash);
    } finally {
      await rm(staged, { force: true });
    }
    return { hash, size };
  }

  return {
    requireSpace: () => Promise.resolve(),

    async put(content, { maxBytes }) {
      try {
        if (!(content instanceof Uint8Array)) return await commit(await stage(staging, content, maxBytes));
        const known = measure(content, maxBytes);
        if (await renew(known)) return known;
        return await commit(await stageBytes(staging, content, known));
      } catch (error) {
        throw explainDiskError(error, root);
      }
    },

    async open(hash, range) {
      if (!isHash(hash)) return undefined;
      const file = await open(pathOf(hash), 'r').catch(ignoreMissing);
      if (!file) return undefined;
      const { size } = await file.stat();
      return { stream: file.createReadStream(range ? { start: range.start, end: range.end } : {}), size };
    },

    has: async (hash) => isHash(hash) && (await find(pathOf(hash))) !== undefined,

    async remove(hash, { storedBefore } = {}) {
      if (!isHash(hash)) return true;
      const found = storedBefore && (await find(pathOf(hash)));
      if (found && found.mtime >= storedBefore) return false;
      await rm(pathOf(hash), { force: true });
      return true;
    },

    list: () => listBelow(root),
    close: () => Promise.resolve(),
  };
}

async function* listBelow(root: string): AsyncGenerator<ListedFile> {
  const folders = (parent: string) =>
    namesIn(parent).then((names) => names.filter((name) => /^[0-9a-f]{2}$/.test(name)));
  for (const first of await folders(root)) {
    for (const second of await folders(path.join(root, first))) {
      const folder = path.join(root, first, second);
      for (const hash of (await namesIn(folder)).filter(isHash)) {
        const found = await find(path.join(folder, hash));
        if (found) yield { hash, size: found.size, storedAt: found.mtime };
      }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return ((await readdir(folder).catch(ignoreMissing)) ?? []).toSorted();
}

async function find(file: string): Promise<Stats | undefined> {
  return stat(file).catch(ignoreMissing);
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
