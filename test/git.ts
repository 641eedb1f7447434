import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import {
  createGit,
  type Git,
  type GitError,
  type GitOptions,
  type GitReason,
} from '../src/platform/git/index.ts';
import { atEnd } from './at-end.ts';
import type { GitRemote } from './git-remote.ts';

/** With a folder of its own for copies. */
export async function aGit(
  remote: Pick<GitRemote, 'outbound'>,
  options: Partial<GitOptions> = {},
): Promise<{ git: Git; folder: string }> {
  const parent = await mkdtemp(path.join(tmpdir(), 'octavo git \'"'));
  const folder = path.join(parent, 'copies');
  atEnd(() => rm(parent, { recursive: true, force: true }));
  return { git: createGit({ folder, outbound: remote.outbound, ...options }), folder };
}

/** A signal that is not aborted. */
export const never = (): AbortSignal => new AbortController().signal;

export async function expectGitError(reason: GitReason, work: Promise<unknown>): Promise<GitError> {
  const error = await work.then(
    (value) => ({ value }),
    (thrown: unknown) => thrown as GitError,
  );
  expect(error).toMatchObject({ name: 'GitError', reason });
  return error as GitError;
}
