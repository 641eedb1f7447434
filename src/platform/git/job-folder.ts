import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endProcessesIn, hasEnded, OWNER } from './job-owner.ts';
import { ABANDONED_JOB_MS, UNUSED_COPY_MS } from './limits.ts';

export type ObjectFormat = 'sha1' | 'sha256';

/**
 * The folder of one job. The cached copy is moved into it while the job runs, so that no two jobs use one copy, and that a
 * copy which a crash interrupted is never used again.
 */
export interface JobFolder {
  readonly folder: string;
  readonly copy: string;
  /** Whether the copy has been fetched by an earlier job. */
  readonly isCached: boolean;
  /** Removes the folder; the copy returns to the cache if it may be used again. */
  close(isReusable: boolean): Promise<void>;
}

const ONLY_OWN = 0o700;
const JOB = '.job';
const COPY = '.git';

/** JSON is an unambiguous encoding: ['a', 'b'] and ['ab'] are different copies. */
const copyName = (key: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(key)).digest('hex');

export interface Cache {
  readonly folder: string;
  readonly now: () => Date;
  /** Names of the folders of jobs that run in this process. */
  readonly live: Set<string>;
}

/** `key`: undefined for a job without a cached copy. */
export async function openJobFolder(
  { folder: cache, now, live }: Cache,
  key: readonly string[] | undefined,
): Promise<JobFolder> {
  await mkdir(cache, { recursive: true, mode: ONLY_OWN });
  const name = key ? copyName(key) : 'none';
  await removeAbandoned({ folder: cache, now, live }, name);
  const job = `${name}.${OWNER}.${randomUUID()}${JOB}`;
  live.add(job);
  const folder = path.join(cache, job);
  const copy = path.join(folder, 'copy.git');
  const cached = path.join(cache, name + COPY);
  await mkdir(folder, { mode: ONLY_OWN });
  const isCached = key !== undefined && (await moves(cached, copy));
  if (!isCached) await createCopy(copy, 'sha1');
  return {
    folder,
    copy,
    isCached,
    async close(isReusable) {
      if (key && isReusable) {
        await utimes(copy, now(), now()).catch(() => undefined);
        await moves(copy, cached);
      }
      await rm(folder, { recursive: true, force: true });
      live.delete(job);
    },
  };
}

/** An empty bare repository; without `git init`, which is a process and copies templates. */
export async function createCopy(copy: string, format: ObjectFormat): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await mkdir(path.join(copy, 'objects', 'pack'), { recursive: true, mode: ONLY_OWN });
  await mkdir(path.join(copy, 'refs', 'heads'), { recursive: true, mode: ONLY_OWN });
  await writeFile(path.join(copy, 'HEAD'), 'ref: refs/heads/none\n');
  const isSha1 = format === 'sha1';
  await writeFile(
    path.join(copy, 'config'),
    `[core]\n\trepositoryformatversion = ${isSha1 ? 0 : 1}\n\tbare = true\n` +
      (isSha1 ? '' : `[extensions]\n\tobjectformat = ${format}\n`),
  );
}

/** Removes cached copies that no job has used for seven days. */
export async function removeOldCopies(cache: string, now = new Date()): Promise<void> {
  for (const name of await namesIn(cache)) {
    const limit = name.endsWith(COPY) ? UNUSED_COPY_MS : name.endsWith(JOB) ? ABANDONED_JOB_MS : undefined;
    if (limit === undefined) continue;
    const entry = path.join(cache, name);
    if ((await ageOf(entry, now)) > limit) await rm(entry, { recursive: true, force: true });
  }
}

/**
 * Folders that a crash left, possibly with a credential: those of processes that have ended, and of this copy, since only one
 * job at a time uses it. Others when they are old.
 */
export async function removeAbandoned({ folder: cache, now, live }: Cache, copy = 'none'): Promise<void> {
  for (const name of await namesIn(cache)) {
    if (!name.endsWith(JOB) || live.has(name)) continue;
    const folder = path.join(cache, name);
    const isOfCopy = copy !== 'none' && name.startsWith(`${copy}.`);
    const isAbandoned = isOfCopy || hasEnded(name.split('.')[1] ?? '');
    if (!isAbandoned && (await ageOf(folder, now())) <= ABANDONED_JOB_MS) continue;
    await endProcessesIn(await realpath(folder).catch(() => folder));
    await rm(folder, { recursive: true, force: true });
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function ageOf(entry: string, now: Date): Promise<number> {
  const found = await stat(entry).catch(() => undefined);
  return found ? now.getTime() - found.mtimeMs : 0;
}

/** False if there is nothing to move, or something in its place. */
async function moves(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    () => false,
  );
}
