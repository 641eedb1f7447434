import type { Addresses } from '../../../platform/api/context.ts';
import type { Commit, Signature } from '../../../platform/git/index.ts';
import type { GitCommit } from '../../revisions/index.ts';
import type { GitSync } from '../../spaces/index.ts';
import type { GitRequest } from '../policy.ts';

const MAX_MESSAGE = 4096;

/** The committer of exports. */
export const serviceIdentity = (addresses: Addresses): Signature => ({
  name: 'Octavo',
  email: `octavo@${new URL(addresses.of('/')).hostname}`,
});

/** What a revision shows of its commit. */
export const commitInfo = (
  addresses: Addresses,
  { ref, repoCommitURL }: GitRequest,
  { oid, message, committer }: Pick<Commit, 'oid' | 'message' | 'committer'>,
): GitCommit => ({
  oid,
  message: message.slice(0, MAX_MESSAGE),
  createdByService: committer.email === serviceIdentity(addresses).email,
  ...(repoCommitURL === undefined ? {} : { url: appendTo(repoCommitURL, oid) }),
  ref,
});

/** What a space shows of its repository. */
export const gitSyncOf = (
  { url, gitInfo, repoTreeURL }: GitRequest,
  directory: string,
  now: Date,
): GitSync => ({
  repoName: new URL(url).pathname.replace(/^\/|\/$|\.git\/?$/g, ''),
  ...(gitInfo?.provider === undefined ? {} : { installationProvider: gitInfo.provider }),
  url: gitInfo?.url ?? repoTreeURL ?? url,
  ...(directory === '' ? {} : { directory }),
  updatedAt: now.toISOString(),
});

const appendTo = (url: string, name: string): string => `${url.replace(/\/$/, '')}/${name}`;
