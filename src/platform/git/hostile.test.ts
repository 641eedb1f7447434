import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aGit, expectGitError, never } from '../../../test/git.ts';
import { type GitRemote, startGitRemote } from '../../../test/git-remote.ts';
import { HOSTILE_GIT_REDIRECTS, HOSTILE_GIT_URLS, HOSTILE_REFS } from '../../../test/hostile-git.ts';
import { RECORDS } from '../../../test/hostile-names.ts';
import { HOSTILE_URLS } from '../../../test/hostile-urls.ts';
import { readProcesses } from '../../../test/processes.ts';
import { createOutbound } from '../outbound/index.ts';
import { type Git, type GitError, parseRemote, requireRef } from './index.ts';

const MAIN = 'refs/heads/main';
let canary: string;
let listener: Server;
let port: number;
let connections = 0;
let remote: GitRemote;

beforeAll(async () => {
  canary = path.join(await mkdtemp(path.join(tmpdir(), 'octavo-canary-')), 'executed');
  listener = createServer((_request, response) => response.end('reached'));
  listener.on('connection', () => connections++);
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  port = (listener.address() as AddressInfo).port;
  remote = await startGitRemote();
});

afterAll(() => void listener.close());

function expectNothingReached(): void {
  expect(existsSync(canary)).toBe(false);
  expect(connections).toBe(0);
}

afterEach(expectNothingReached);

const written = (text: string) => text.replaceAll('CANARY', canary).replaceAll('PORT', String(port));

const fetchFrom = (git: Git, url: string, ref = MAIN) =>
  git.withRepository({ key: [url], remote: { url }, signal: never() }, (repository) => repository.fetch(ref));

async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'accepted',
    (error: GitError) => `${error.name} ${error.reason}`,
  );
}

describe('hostile URLs of repositories', () => {
  it('are at least 60, all different', () => {
    expect(new Set(HOSTILE_GIT_URLS).size).toBe(HOSTILE_GIT_URLS.length);
    expect(HOSTILE_GIT_URLS.length).toBeGreaterThanOrEqual(60);
  });

  it('are refused before git runs, and so are their credentials', async () => {
    const outbound = createOutbound({
      allow: [`elsewhere.example:${port}`],
      ownAddresses: [],
      resolve: () => Promise.resolve(['127.0.0.1']),
    });
    const { git, folder } = await aGit({ outbound });
    for (const text of HOSTILE_GIT_URLS) {
      const url = written(text);
      const parsed = (() => {
        try {
          return parseRemote(url).remote.url;
        } catch (error) {
          return (error as GitError).reason;
        }
      })();
      expect(parsed, text).toBe('invalid-url');
      expect(await reasonOf(git.findRemoteCommit({ url }, MAIN, never())), text).toBe('GitError invalid-url');
      expect(await reasonOf(fetchFrom(git, url)), text).toBe('GitError invalid-url');
      expect(existsSync(canary), text).toBe(false);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('with private addresses are refused in every notation', async () => {
    const outbound = createOutbound({
      allow: [`elsewhere.example:${port}`],
      ownAddresses: [],
      resolve: (hostname) => Promise.resolve(RECORDS[hostname] ?? []),
    });
    const { git } = await aGit({ outbound });
    const seen: Record<string, number> = {};
    for (const text of HOSTILE_URLS) {
      const url = `${written(text).replace(/\/[^/]*$/, '')}/a.git`;
      for (const address of [url, url.replace(/^http:/, 'https:')]) {
        const reason = await reasonOf(git.findRemoteCommit({ url: address }, MAIN, never()));
        expect(reason, address).toMatch(/^GitError (invalid-url|blocked-host|unknown-host)$/);
        seen[reason] = (seen[reason] ?? 0) + 1;
      }
    }
    expect(seen['GitError blocked-host']).toBeGreaterThan(150);
  });

  it('never echo a password', () => {
    for (const text of [
      'https://user:s3cr3t@',
      'https://u:s3cr3t@a.example/b?c',
      'https://u:s3cr3t@a b/c',
      'ssh://u:s3cr3t@a/b',
    ]) {
      try {
        parseRemote(text);
        expect.unreachable(text);
      } catch (error) {
        expect(String((error as Error).stack)).not.toContain('s3cr3t');
      }
    }
  });
});

describe('hostile refs', () => {
  it('are refused for every operation', async () => {
    const source = await remote.addRepository();
    const oid = await source.commit({ a: '1' });
    const { git } = await aGit(remote);
    for (const text of HOSTILE_REFS) {
      const ref = written(text);
      expect(() => requireRef(ref), text).toThrow('full name of a branch');
      await expectGitError('invalid-ref', git.findRemoteCommit({ url: source.url }, ref, never()));
      await git.withRepository(
        { key: ['k'], remote: { url: source.url }, signal: never() },
        async (repository) => {
          await expectGitError('invalid-ref', repository.fetch(ref));
          await expectGitError('invalid-ref', repository.push(oid, ref));
          await expectGitError('unknown-commit', repository.push(ref || 'x', MAIN));
        },
      );
    }
    expect(await source.head()).toBe(oid);
  });

  it('are those that git itself refuses', async () => {
    const { git: run } = await remote.addRepository();
    const part = fc.constantFrom(
      'a',
      'B',
      '9',
      '.',
      '..',
      '/',
      '-',
      '_',
      '.lock',
      '@',
      '{',
      ' ',
      '~',
      'x.y',
      'ü',
      '#',
      '+',
      '$',
      '"',
      '[',
    );
    const names = fc
      .array(part, { minLength: 1, maxLength: 8 })
      .map((parts) => `refs/heads/${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(names, async (ref) => {
        const isOurs = (() => {
          try {
            requireRef(ref);
            return true;
          } catch {
            return false;
          }
        })();
        if (isOurs) await run(['check-ref-format', ref]);
        else if (!/^refs\/heads\/(-|@$)|[$"]/.test(ref)) {
          await expect(run(['check-ref-format', ref])).rejects.toThrow('check-ref-format');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('redirects', () => {
  it.each(HOSTILE_GIT_REDIRECTS)('to %j are not followed', async (location) => {
    const own = await startGitRemote();
    const source = await own.addRepository();
    await source.commit({ a: '1' });
    const { git } = await aGit(own);
    for (const [method, status] of [
      ['GET', 301],
      ['GET', 307],
      ['POST', 302],
      ['POST', 308],
    ] as const) {
      own.intercept = (request, response) => {
        if (request.method !== method) return false;
        response.writeHead(status, { location: written(location) }).end();
        return true;
      };
      expect(await reasonOf(fetchFrom(git, source.url)), `${method} ${status}`).toMatch(
        /^GitError (no-repository|unreachable|invalid-repository)$/,
      );
    }
  });

  it('by the files of a server without the smart protocol are not followed', async () => {
    const own = await startGitRemote();
    const asked: string[] = [];
    const oid = '1'.repeat(40);
    own.intercept = (request, response) => {
      asked.push(request.url ?? '');
      const files: Record<string, string> = {
        '/a.git/info/refs': `${oid}\t${MAIN}\n`,
        '/a.git/HEAD': `ref: ${MAIN}\n`,
        '/a.git/objects/info/http-alternates': `http://127.0.0.1:${port}/objects/\n`,
        '/a.git/objects/info/alternates': '/etc\n',
      };
      const file = files[request.url?.replace(/\?.*/, '') ?? ''];
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(file);
      return true;
    };
    const { git } = await aGit(own);
    await expectGitError('no-repository', fetchFrom(git, `${own.origin}/a.git`));
    expect(asked.filter((url) => url.includes('objects'))).toEqual([]);
  });
});

describe('credentials', () => {
  const SECRET = 's3cr3t/P@ss w%rd';
  const forms = [
    SECRET,
    encodeURIComponent(SECRET),
    Buffer.from(`octavo:${SECRET}`).toString('base64'),
    Buffer.from(SECRET).toString('base64').replace(/=+$/, ''),
  ];
  const occursIn = (text: string) => forms.filter((form) => text.includes(form));

  it('are in no process, and in one file of the job only while git runs', async () => {
    const own = await startGitRemote({ username: 'octavo', password: SECRET });
    const source = await own.addRepository();
    await source.commit({ a: '1' });
    const { git, folder } = await aGit(own);
    const leaks: string[] = [];
    const found: string[] = [];
    let observations = 0;
    own.intercept = (request, response) => {
      if (request.headers['x-observed']) return false;
      void observe().then(() => {
        request.headers['x-observed'] = '1';
        return serverOf(request).emit('request', request, response);
      });
      return true;
    };
    const serverOf = (request: { socket: unknown }) => (request.socket as { server: Server }).server;
    async function observe(): Promise<void> {
      observations++;
      for (const process of (await readProcesses()).values()) leaks.push(...occursIn(process));
      for (const file of await filesBelow(folder)) {
        if (occursIn(await readFile(file, 'latin1')).length === 0) continue;
        found.push(path.relative(folder, file).replace(/^.*\.job/, 'job'));
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
      }
    }
    const access = { url: source.url, credential: { username: 'octavo', password: SECRET } };
    const logged: unknown[] = [];
    await git.findRemoteCommit(access, MAIN, never());
    await git.withRepository({ key: ['k'], remote: access, signal: never() }, async (repository) => {
      const parent = await repository.fetch(MAIN);
      const changes = [{ path: 'b', bytes: Buffer.from('b'), size: 1 }];
      const person = { name: 'a', email: 'a@example.com' };
      const commit = { parent, changes, message: 'b', author: person, committer: person, time: new Date(0) };
      expect(await repository.push(await repository.addCommit(commit), MAIN)).toBe(true);
      for (const file of await filesBelow(folder)) logged.push(...occursIn(await readFile(file, 'latin1')));
    });
    expect(observations).toBeGreaterThan(8);
    expect(leaks).toEqual([]);
    expect(new Set(found)).toEqual(new Set(['job/remote/credential']));
    expect(logged).toEqual([]);
    for (const file of await filesBelow(folder)) expect(occursIn(await readFile(file, 'latin1'))).toEqual([]);
  });

  it('are removed after a failure, a timeout and an abort, and are in no error', async () => {
    const own = await startGitRemote();
    const url = `${own.origin}/a.git`;
    const { git, folder } = await aGit(own, { limits: { lookupMs: 400 } });
    const credential = { username: 'octavo', password: SECRET };
    const errors: string[] = [];
    const collect = async (signal = never()) => {
      const error = await git
        .findRemoteCommit({ url, credential }, MAIN, signal)
        .catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(Error);
      const { stack, message, cause } = error as Error;
      errors.push(`${stack} ${message} ${JSON.stringify(error)} ${String(cause)}`);
      expect(await readdir(folder)).toEqual([]);
    };
    for (const status of [401, 403, 404, 500, 301]) {
      own.intercept = (request, response) => {
        const echo = `${request.headers.authorization} ${forms.join(' ')}`;
        const headers = { 'www-authenticate': `Basic realm="${forms[2]}"`, 'content-type': 'text/plain' };
        response
          .writeHead(status, { ...headers, location: `${own.origin}/${encodeURIComponent(SECRET)}` })
          .end(echo);
        return true;
      };
      await collect();
    }
    own.intercept = () => true;
    await collect();
    await collect(AbortSignal.timeout(100));
    expect(errors).toHaveLength(7);
    expect(occursIn(errors.join('\n'))).toEqual([]);
  });

  it('that a remote sends back are not shown', async () => {
    const own = await startGitRemote({ username: 'octavo', password: SECRET });
    const source = await own.addRepository();
    const parent = await source.commit({ a: '1' });
    const hook = `#!/bin/sh\ncat >&2 <<'END'\nNo. ${forms.join(' ')}\nEND\nexit 1\n`;
    await writeFile(path.join(source.folder, 'hooks', 'pre-receive'), hook, { mode: 0o755 });
    const { git } = await aGit(own);
    const access = { url: source.url, credential: { username: 'octavo', password: SECRET } };
    await git.withRepository({ key: ['k'], remote: access, signal: never() }, async (repository) => {
      await repository.fetch(MAIN);
      const person = { name: 'a', email: 'a@example.com' };
      const changes = [{ path: 'b', bytes: Buffer.from('b'), size: 1 }];
      const commit = { parent, changes, message: 'b', author: person, committer: person, time: new Date(0) };
      const error = await expectGitError(
        'refused',
        repository.push(await repository.addCommit(commit), MAIN),
      );
      expect(error.message).toContain('No. ***');
      expect(occursIn(error.message)).toEqual([]);
    });
  });

  async function filesBelow(top: string): Promise<string[]> {
    const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }
});
