import { remoteMessage } from '../explain.ts';
import { GitError } from '../git-error.ts';
import { runWithRemote, type Session } from '../network.ts';
import { requireOid, requireRef } from '../remote.ts';

/** How git and servers say that the branch has other commits, or that it no longer has our parent. */
const MOVED_ON =
  /but expected|incorrect old value|reference already exists|shallow update not allowed|stale info|fetch first|non-fast-forward/;

/** False: the branch of the remote is not an ancestor of the commit. Nothing is ever overwritten. */
export async function pushCommit(session: Session, commit: string, ref: string): Promise<boolean> {
  requireOid(commit);
  requireRef(ref);
  const result = await runWithRemote(session, session.limits.transferMs, (url) => [
    'push',
    '--porcelain',
    '--no-progress',
    '--no-verify',
    '--no-signed',
    '--no-follow-tags',
    '--recurse-submodules=no',
    '--',
    url,
    `${commit}:${ref}`,
  ]);
  if (result.code === 0) return true;
  // `!<tab>from:to<tab>[rejected] (reason)`
  const line = result.stdout
    .toString()
    .split('\n')
    .find((text) => text.startsWith('!\t'));
  if (line === undefined) throw result.fail();
  const [, , status = ''] = line.split('\t');
  if (status.startsWith('[rejected]') || MOVED_ON.test(status) || MOVED_ON.test(result.stderr)) return false;
  const why = /^[^(]*\((.*)\)/.exec(status)?.[1] ?? 'no reason given';
  const said = remoteMessage(result.stderr, session.remote.credential);
  throw new GitError(
    'refused',
    `The remote does not accept the push to ${ref} (${why.slice(0, 200)})${said ? `: ${said}` : ''}. ` +
      'Check the protection of the branch, and the permissions of the credential.',
  );
}
