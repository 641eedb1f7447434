import type { Outbound } from '../outbound/index.ts';
import { lookUpBranch } from './repository/fetch-branch.ts';
import { GitError } from './git-error.ts';
import { openJobFolder, removeAbandoned, removeOldCopies } from './job-folder.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { Session } from './network.ts';
import { openRepository, tidy } from './repository/repository.ts';
import { requireVersion } from './version.ts';
import type { Git, Remote, Repository } from './types.ts';

export { GitError, type GitReason } from './git-error.ts';
export { parseRemote, requireRef } from './remote.ts';
export type * from './types.ts';

export interface GitOptions {
  /** Contains cached copies and the folders of jobs. */
  readonly folder: string;
  readonly outbound: Outbound;
  readonly now?: () => Date;
  /** Tests lower them. */
  readonly limits?: Partial<Limits>;
  /** Where the git program is looked for. */
  readonly searchPath?: string;
}

/** The only place that runs the git program. */
export function createGit({ folder, outbound, now = () => new Date(), limits, searchPath }: GitOptions): Git {
  let program: Promise<void> | undefined;
  const requireProgram = (): Promise<void> =>
    (program ??= requireVersion(folder, searchPath).catch((error: unknown) => {
      program = undefined;
      throw error;
    }));
  const cache = { folder, now, live: new Set<string>() };
  const fixed = { outbound, limits: { ...LIMITS, ...limits }, searchPath };

  async function attempt<T>(
    { key, remote, signal }: { key: readonly string[]; remote: Remote; signal: AbortSignal },
    work: (repository: Repository) => Promise<T>,
  ): Promise<Attempt<T>> {
    const job = await openJobFolder(cache, key);
    const session: Session = { ...fixed, remote, signal, folder: job.folder, copy: job.copy };
    const opened = openRepository(session, job.isCached);
    let isReusable = false;
    try {
      const value = await work(opened.repository);
      return { value };
    } catch (error) {
      const mayRepeat = job.isCached && !opened.hasCommitted() && isDamage(error);
      return { error, mayRepeat };
    } finally {
      if (opened.isReusable()) {
        isReusable = await tidy(session).then(
          () => true,
          () => false,
        );
      }
      await job.close(isReusable);
    }
  }

  return {
    requireProgram,
    removeAbandoned: () => removeAbandoned(cache),
    removeOldCopies: () => removeOldCopies(folder, now()),
    async withRepository(options, work) {
      options.signal.throwIfAborted();
      await requireProgram();
      let outcome = await attempt(options, work);
      if ('error' in outcome && outcome.mayRepeat) outcome = await attempt(options, work);
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
    async findRemoteCommit(remote, ref, signal) {
      signal.throwIfAborted();
      await requireProgram();
      const job = await openJobFolder(cache, undefined);
      try {
        return await lookUpBranch({ ...fixed, remote, signal, folder: job.folder, copy: job.copy }, ref);
      } finally {
        await job.close(false);
      }
    },
  };
}

type Attempt<T> = { readonly value: T } | { readonly error: unknown; readonly mayRepeat: boolean };

const isDamage = (error: unknown): boolean => error instanceof GitError && error.reason === 'damaged-copy';
