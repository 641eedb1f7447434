import { environmentOf } from './environment.ts';
import type { Session } from './network.ts';
import { type GitProcess, type Result, runGit, type RunOptions, startGit } from './run.ts';

type LocalOptions = Pick<RunOptions, 'args' | 'maxBytes' | 'onOutput'>;

/** Runs git on the copy, without a network. */
export const runLocal = (session: Session, options: LocalOptions): Promise<Result> =>
  runGit({ ...processOptions(session), ...options });

export const startLocal = (session: Session, args: readonly string[]): GitProcess =>
  startGit({ ...processOptions(session), args });

const processOptions = ({ copy, folder, signal, limits, searchPath }: Session) => ({
  environment: environmentOf({ gitDirectory: copy, home: folder, ...(searchPath ? { searchPath } : {}) }),
  folder,
  signal,
  timeoutMs: limits.localMs,
});
