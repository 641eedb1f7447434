import { beforeAll, describe, expect, it } from 'vitest';
import { aGit, never } from '../../../test/git.ts';
import { type GitRemote, startGitRemote } from '../../../test/git-remote.ts';
import type { Git } from './index.ts';

const SIGNATURE = { name: 'Ada Lovelace', email: 'ada@example.com' };
const SIGNATURES = { author: SIGNATURE, committer: SIGNATURE, time: new Date('2026-11-16T10:00:00Z') };

let remote: GitRemote;
let git: Git;

beforeAll(async () => {
  remote = await startGitRemote();
  ({ git } = await aGit(remote));
});

describe('a branch', () => {
  it.each(['feature/ü', 'fix#12', 'a+b', '@user/x', 'v1.0,rc', 'a=b!(c)', '日本語'])(
    '%s is fetched and pushed',
    async (name) => {
      const source = await remote.addRepository();
      const oid = await source.commit({ 'README.md': '# A\n' }, { branch: name });
      const ref = `refs/heads/${name}`;
      const { url } = source;
      await git.withRepository({ key: [url], remote: { url }, signal: never() }, async (repository) => {
        expect(await repository.fetch(ref)).toBe(oid);
        const changes = [{ path: 'b.md', bytes: Buffer.from('B'), size: 1 }];
        const commit = await repository.addCommit({ parent: oid, changes, message: 'B', ...SIGNATURES });
        expect(await repository.push(commit, ref)).toBe(true);
        expect(await source.head(name)).toBe(commit);
      });
      expect(await git.findRemoteCommit({ url: source.url }, ref, never())).not.toBe(oid);
    },
  );
});
