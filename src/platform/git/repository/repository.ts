import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeCommit } from './add-commit.ts';
import { fetchBranch } from './fetch-branch.ts';
import { GitError, type GitReason } from '../git-error.ts';
import { createCopy } from '../job-folder.ts';
import { MAX_PACKS } from '../limits.ts';
import { findInTree, listTree } from './list-files.ts';
import { runLocal } from '../local.ts';
import type { Session } from '../network.ts';
import { pushCommit } from './push-commit.ts';
import { readBlobContents } from './read-blobs.ts';
import { readCommitObject, unknownCommit } from './read-commit.ts';
import type { Repository } from '../types.ts';

export interface OpenRepository {
  readonly repository: Repository;
  /** Whether later jobs may use the copy: it has been fetched, and is complete. */
  isReusable(): boolean;
  /** Whether the work has made a commit, so that it cannot be repeated. */
  hasCommitted(): boolean;
}

/** Errors after which git has left the copy as it was. */
const HARMLESS: ReadonlySet<GitReason> = new Set([
  'invalid-url',
  'invalid-ref',
  'blocked-host',
  'unknown-host',
  'unreachable',
  'unauthorised',
  'no-repository',
]);

export function openRepository(session: Session, isCached: boolean): OpenRepository {
  let hasFetched = isCached;
  let isDamaged = false;
  let hasCommitted = false;
  let isSha256 = false;

  /** Performs work that writes to the copy. */
  async function writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      isDamaged ||= !(error instanceof GitError && HARMLESS.has(error.reason));
      throw error;
    }
  }

  async function fetchOnce(ref: string): Promise<string | undefined> {
    const fetched = await fetchBranch(session, ref);
    isSha256 = fetched.isSha256;
    hasFetched = true;
    return fetched.commit;
  }

  return {
    isReusable: () => hasFetched && !isDamaged,
    hasCommitted: () => hasCommitted,
    repository: {
      fetch: (ref) =>
        writing(async () => {
          try {
            return await fetchOnce(ref);
          } catch (error) {
            if (!isCached || !mayBeOurs(error)) throw error;
            await createCopy(session.copy, 'sha1');
            return fetchOnce(ref);
          }
        }),
      readCommit: (oid) => readCommitObject(session, oid),
      async listFiles(commit, directory) {
        const entries = await listTree(session, commit, directory);
        if (!entries && !(await hasCommit(session, commit))) throw unknownCommit(commit);
        return entries;
      },
      findFiles: (commit, directory, names) => findInTree(session, commit, directory, names),
      readBlobs: (oids) => readBlobContents(session, oids, () => (isDamaged = true)),
      blobId(bytes) {
        const hash = createHash(isSha256 ? 'sha256' : 'sha1').update(`blob ${bytes.length}\0`);
        return hash.update(bytes).digest('hex');
      },
      addCommit(commit) {
        hasCommitted = true;
        return writing(() => writeCommit(session, commit));
      },
      push: (commit, ref) => pushCommit(session, commit, ref),
    },
  };
}

/** Errors that a corrupt copy causes, too, or one with the packs of many fetches. */
const mayBeOurs = (error: unknown): boolean =>
  error instanceof GitError && ['failed', 'invalid-repository', 'too-large'].includes(error.reason);

async function hasCommit(session: Session, oid: string): Promise<boolean> {
  const { code } = await runLocal(session, { args: ['cat-file', '-e', `${oid}^{commit}`], maxBytes: 1024 });
  return code === 0;
}

/** Removes what failed processes left, and bounds the number of packs. */
export async function tidy(session: Session): Promise<void> {
  const folder = path.join(session.copy, 'objects', 'pack');
  const names = await readdir(folder);
  for (const name of names) {
    if (name.startsWith('tmp_')) await rm(path.join(folder, name), { force: true });
  }
  if (names.filter((name) => name.endsWith('.pack')).length <= MAX_PACKS) return;
  await runLocal(session, { args: ['repack', '-a', '-d', '-q'], maxBytes: 1024 });
  // Pruning forgets the shallow commits of earlier fetches, too, which each request would name.
  await runLocal(session, { args: ['prune', '--expire=now'], maxBytes: 1024 });
}
