import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGit, expectGitError, never } from '../../../test/git.ts';
import { type GitRemote, startGitRemote } from '../../../test/git-remote.ts';
import { findProcesses } from '../../../test/processes.ts';
import { createOutbound } from '../outbound/index.ts';
import type { Git, Repository } from './index.ts';

const MAIN = 'refs/heads/main';
let remote: GitRemote;

beforeAll(async () => {
  remote = await startGitRemote();
});

const fetchFrom = (git: Git, url: string, signal = never()) =>
  git.withRepository({ key: [url], remote: { url }, signal }, (repository) => repository.fetch(MAIN));

async function expectNothingLeft(folder: string): Promise<void> {
  expect(await readdir(folder)).toEqual([]);
  expect(await findProcesses(path.dirname(folder))).toEqual([]);
}

describe('a remote that cannot be used', () => {
  it('has a host that does not exist', async () => {
    const outbound = createOutbound({ allow: [], ownAddresses: [], resolve: () => Promise.resolve([]) });
    const { git } = await aGit({ outbound });
    const error = await expectGitError('unknown-host', fetchFrom(git, 'https://nothing.example/docs.git'));
    expect(error.message).toBe('The host nothing.example does not exist. Check the URL.');
  });

  it('does not listen', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { git, folder } = await aGit({
      outbound: createOutbound({ allow: [`127.0.0.1:${port}`], ownAddresses: [] }),
    });
    await expectGitError('unreachable', fetchFrom(git, `http://127.0.0.1:${port}/docs.git`));
    await expectNothingLeft(folder);
  });

  it('has http:, which the operator has not allowed for it', async () => {
    const outbound = createOutbound({
      allow: [],
      ownAddresses: [],
      resolve: () => Promise.resolve(['93.184.216.34']),
    });
    const { git } = await aGit({ outbound });
    const error = await expectGitError('blocked-host', fetchFrom(git, 'http://a.example/docs.git'));
    expect(error.message).toContain('OCTAVO_OUTBOUND_ALLOW');
  });

  it('has no TLS certificate', async () => {
    const { port } = new URL(remote.origin);
    const { git } = await aGit(remote);
    await expectGitError('unreachable', fetchFrom(git, `https://127.0.0.1:${port}/docs.git`));
  });

  it.each([
    [404, 'no-repository'],
    [403, 'unauthorised'],
    [301, 'no-repository'],
    [500, 'unreachable'],
    [200, 'no-repository'],
  ] as const)('answers %i', async (status, reason) => {
    const own = await startGitRemote();
    own.intercept = (_request, response) => {
      response.writeHead(status, { location: `${own.origin}/other.git/info/refs` }).end('<html></html>');
      return true;
    };
    const { git, folder } = await aGit(own);
    await expectGitError(reason, fetchFrom(git, `${own.origin}/docs.git`));
    await expectGitError(reason, git.findRemoteCommit({ url: `${own.origin}/docs.git` }, MAIN, never()));
    await expectNothingLeft(folder);
  });
});

describe('a host name', () => {
  it('is pinned to its checked address', async () => {
    const { port } = new URL(remote.origin);
    const source = await remote.addRepository();
    const oid = await source.commit({ a: '1' });
    const outbound = createOutbound({
      allow: [`git.example:${port}`],
      ownAddresses: [],
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    const { git } = await aGit({ outbound });
    // The name is not in any DNS: without the pin, git could not connect.
    const url = source.url.replace('127.0.0.1', 'git.example');
    expect(await fetchFrom(git, url)).toBe(oid);
    expect(await git.findRemoteCommit({ url: url.replace('git.', 'GIT.') }, MAIN, never())).toBe(oid);
    expect(await git.findRemoteCommit({ url: url.replace('.example', '.example.') }, MAIN, never())).toBe(
      oid,
    );
  });
});

describe('limits', () => {
  /** Answers a request, and then nothing more. */
  async function aStalledRemote() {
    const own = await startGitRemote();
    const source = await own.addRepository();
    await source.commit({ a: '1' });
    own.intercept = (request, response) => {
      if (request.method !== 'POST') return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).flushHeaders();
      return true;
    };
    return { own, url: source.url };
  }

  it('of time end a remote that stalls', async () => {
    const { own, url } = await aStalledRemote();
    const stalled = await aGit(own, { limits: { stalledMs: 1000 } });
    await expectGitError('timeout', fetchFrom(stalled.git, url));
    await expectNothingLeft(stalled.folder);
    const slow = await aGit(own, { limits: { transferMs: 300, lookupMs: 300 } });
    await expectGitError('timeout', fetchFrom(slow.git, url));
    await expectGitError('timeout', slow.git.findRemoteCommit({ url }, MAIN, never()));
    await expectNothingLeft(slow.folder);
  });

  it("of the caller end all processes, with the caller's reason", async () => {
    const { own, url } = await aStalledRemote();
    const { git, folder } = await aGit(own);
    const stopping = new AbortController();
    own.intercept = ((stall) => (request, response) => {
      const isStalled = stall?.(request, response) ?? false;
      if (isStalled)
        void findProcesses(folder).then((found) => stopping.abort(new Error(`stopping ${found.length}`)));
      return isStalled;
    })(own.intercept);
    await expect(fetchFrom(git, url, stopping.signal)).rejects.toThrow(/stopping [1-9]/);
    await expectNothingLeft(folder);
    await expect(fetchFrom(git, url, stopping.signal)).rejects.toThrow('stopping');
  });

  it('of size end a fetch', async () => {
    const source = await remote.addRepository();
    await source.commit({ 'large.bin': randomBytes(30_000_000) });
    const { git, folder } = await aGit(remote, { limits: { copyBytes: 1_000_000, pollMs: 1 } });
    const error = await expectGitError('too-large', fetchFrom(git, source.url));
    expect(error.message).toContain('Remove large files');
    await expectNothingLeft(folder);
  });

  it('of the copy hold although the fetch was faster than the watch', async () => {
    const source = await remote.addRepository();
    await source.commit({ 'large.bin': randomBytes(3_000_000) });
    const { git, folder } = await aGit(remote, { limits: { copyBytes: 1_000_000, pollMs: 60_000 } });
    await expectGitError('too-large', fetchFrom(git, source.url));
    await expectNothingLeft(folder);
  });

  const withMain = <T>(git: Git, url: string, work: (repository: Repository, oid: string) => Promise<T>) =>
    git.withRepository({ key: [url], remote: { url }, signal: never() }, async (repository) =>
      work(repository, (await repository.fetch(MAIN)) ?? ''),
    );

  it('of files and names end a listing', async () => {
    const source = await remote.addRepository();
    await source.commit(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, 'x'])));
    for (const [limits, reason] of [
      [{ files: 10 }, 'too-many-files'],
      [{ files: 11 }, undefined],
      [{ listBytes: 100 }, 'too-large'],
    ] as const) {
      const { git } = await aGit(remote, { limits });
      const listing = withMain(git, source.url, (repository, oid) => repository.listFiles(oid, ''));
      if (reason) await expectGitError(reason, listing);
      else expect(await listing).toHaveLength(11);
    }
  });

  it('of contents end a process whose output is not read', async () => {
    const source = await remote.addRepository();
    await source.commit({ large: Buffer.alloc(1_000_000, 'x'), small: 'x' });
    const { git } = await aGit(remote, { limits: { blobBytes: 100 } });
    await withMain(git, source.url, async (repository, oid) => {
      const oids = (await repository.listFiles(oid, ''))?.map((entry) => entry.oid).toReversed() ?? [];
      const reading = repository.readBlobs(oids)[Symbol.asyncIterator]();
      expect(await reading.next()).toMatchObject({ done: false });
      // Until the rest of the output has arrived.
      await delay(50);
      await expectGitError('too-large', reading.next());
    });
  });

  it('of contents and of commits', async () => {
    const source = await remote.addRepository();
    await source.commit({ a: 'x'.repeat(101) }, { message: 'm'.repeat(2000) });
    const { git } = await aGit(remote, { limits: { blobBytes: 100, commitBytes: 1000 } });
    await withMain(git, source.url, async (repository, oid) => {
      const [entry] = (await repository.listFiles(oid, '')) ?? [];
      const reading = repository.readBlobs([entry?.oid ?? ''])[Symbol.asyncIterator]();
      await expectGitError('too-large', reading.next());
      await expectGitError('too-large', repository.readCommit(oid));
    });
  });
});

describe('without a git program', () => {
  it('every operation says so', async () => {
    const { git, folder } = await aGit(remote, { searchPath: '/nonexistent' });
    const error = await expectGitError('no-program', fetchFrom(git, `${remote.origin}/docs.git`));
    expect(error.message).toContain('install git');
    await expectGitError(
      'no-program',
      git.findRemoteCommit({ url: `${remote.origin}/docs.git` }, MAIN, never()),
    );
    await expectNothingLeft(folder);
  });
});
