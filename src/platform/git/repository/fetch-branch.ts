import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from '../git-error.ts';
import { createCopy } from '../job-folder.ts';
import { runWithRemote, type Session } from '../network.ts';
import { requireSmartRemote } from '../smart-remote.ts';
import { isOid, requireRef } from '../remote.ts';

/** The result of a fetch: the commit, if the branch exists. */
export interface Fetched {
  readonly commit: string | undefined;
  readonly isSha256: boolean;
}

/**
 * Fetches the last commit of a branch into a ref named by its hash: names of branches that follow each other, such as `a` and
 * `a/b`, are not possible in one repository. Below refs/heads/, where git refuses anything but commits.
 */
export async function fetchBranch(session: Session, ref: string): Promise<Fetched> {
  requireRef(ref);
  const local = `refs/heads/${createHash('sha256').update(ref).digest('hex')}`;
  const args = (url: string) => [
    'fetch',
    '--quiet',
    '--no-progress',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--',
    url,
    `+${ref}:${local}`,
  ];
  const run = () => runWithRemote(session, session.limits.transferMs, args);
  let result = await run();
  let isSha256 = await hasSha256(session.copy);
  if (result.code !== 0 && /mismatched algorithms/.test(result.stderr)) {
    isSha256 = !isSha256;
    await createCopy(session.copy, isSha256 ? 'sha256' : 'sha1');
    result = await run();
  }
  const file = path.join(session.copy, local);
  if (result.code === 0) return { commit: (await readFile(file, 'utf8')).trim(), isSha256 };
  if (!/couldn't find remote ref/.test(result.stderr)) throw result.fail();
  await requireSmartRemote(session);
  await rm(file, { force: true });
  return { commit: undefined, isSha256 };
}

const hasSha256 = async (copy: string): Promise<boolean> =>
  (await readFile(path.join(copy, 'config'), 'utf8')).includes('sha256');

/** The last commit of a branch, without fetching it. */
export async function lookUpBranch(session: Session, ref: string): Promise<string | undefined> {
  requireRef(ref);
  const result = await runWithRemote(session, session.limits.lookupMs, (url) => [
    'ls-remote',
    '--quiet',
    '--',
    url,
    ref,
  ]);
  if (result.code !== 0) throw result.fail();
  // The pattern of ls-remote also matches the ends of other names.
  const line = result.stdout
    .toString()
    .split('\n')
    .find((text) => text.endsWith(`\t${ref}`));
  const oid = line?.slice(0, line.indexOf('\t'));
  if (oid === undefined) await requireSmartRemote(session);
  if (oid === undefined || isOid(oid)) return oid;
  throw new GitError('invalid-repository', 'The list of branches that the remote sent is invalid.');
}
