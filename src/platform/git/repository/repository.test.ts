import { createHash, randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGit, expectGitError, never } from '../../../../test/git.ts';
import { type GitRemote, startGitRemote } from '../../../../test/git-remote.ts';
import { type Git, parseRemote, type Repository } from '../index.ts';
import { removeOldCopies } from '../job-folder.ts';

const MAIN = 'refs/heads/main';
const SIGNATURES = {
  author: { name: 'Ada Lovelace', email: 'ada@example.com' },
  committer: { name: 'Octavo', email: 'octavo@example.com' },
  time: new Date('2026-11-16T10:00:00Z'),
};

let remote: GitRemote;
let git: Git;
let folder: string;

beforeAll(async () => {
  remote = await startGitRemote();
  ({ git, folder } = await aGit(remote));
});

const open = <T>(url: string, work: (repository: Repository) => Promise<T>, using = git): Promise<T> =>
  using.withRepository({ key: ['space', url], remote: { url }, signal: never() }, work);

async function textsOf(
  repository: Repository,
  commit: string,
  directory = '',
): Promise<Record<string, string>> {
  const entries = (await repository.listFiles(commit, directory)) ?? [];
  const texts: Record<string, string> = {};
  let index = 0;
  for await (const bytes of repository.readBlobs(entries.map((entry) => entry.oid))) {
    texts[entries[index++]?.path ?? ''] = Buffer.from(bytes).toString();
  }
  return texts;
}

describe('a fetched branch', () => {
  it('is listed and read', async () => {
    const source = await remote.addRepository();
    const files = { 'README.md': '# A\n', 'docs/b.md': 'B', 'docs/empty.md': '', 'übung/ü "x"\n.md': 'ü' };
    const oid = await source.commit(files, { message: 'First\n\nBody\n', time: new Date(1_600_000_000_000) });
    await open(source.url, async (repository) => {
      expect(await repository.fetch(MAIN)).toBe(oid);
      expect(await textsOf(repository, oid)).toEqual(files);
      expect(await textsOf(repository, oid, 'docs')).toEqual({ 'b.md': 'B', 'empty.md': '' });
      expect(await repository.readCommit(oid)).toEqual({
        oid,
        parents: [],
        message: 'First\n\nBody\n',
        author: { name: 'Ada', email: 'ada@example.com' },
        committer: { name: 'Ada', email: 'ada@example.com' },
      });
    });
    expect(await git.findRemoteCommit({ url: source.url }, MAIN, never())).toBe(oid);
  });

  it('has kinds, sizes and ids of files', async () => {
    const source = await remote.addRepository();
    const oid = await source.commit({
      a: 'text',
      run: { content: '#!', mode: '100755' },
      link: { content: '/etc/passwd', mode: '120000' },
    });
    const submodule = await source.git(
      ['mktree'],
      `${await source.git(['ls-tree', oid])}160000 commit ${'1'.repeat(40)}\tmodule\n`,
    );
    const commit = await source
      .git(['commit-tree', submodule.trim(), '-p', oid], 'With a submodule\n')
      .catch(() => '');
    expect(commit).toBe('');
    await source.git(['update-ref', MAIN, await commitTree(source.git, submodule.trim())]);
    await open(source.url, async (repository) => {
      const entries = await repository.listFiles((await repository.fetch(MAIN)) ?? '', '');
      expect(entries).toEqual([
        { path: 'a', kind: 'file', oid: repository.blobId(Buffer.from('text')), size: 4 },
        { path: 'link', kind: 'link', oid: repository.blobId(Buffer.from('/etc/passwd')), size: 11 },
        { path: 'module', kind: 'submodule', oid: '1'.repeat(40), size: 0 },
        { path: 'run', kind: 'executable', oid: repository.blobId(Buffer.from('#!')), size: 2 },
      ]);
    });
  });

  it('has paths that are not UTF-8, which are marked', async () => {
    const source = await remote.addRepository();
    await source.commit({ 'a.md': 'a' });
    const blob = source.git(['rev-parse', 'main:a.md']);
    const tree = await source.git(
      ['mktree', '-z'],
      Buffer.concat([
        Buffer.from(`100644 blob ${(await blob).trim()}\tcaf`),
        Buffer.from([0xe9, 0]),
        Buffer.from(`100644 blob ${(await blob).trim()}\tü.md\0`),
      ]),
    );
    await source.git(['update-ref', MAIN, await commitTree(source.git, tree.trim())]);
    await open(source.url, async (repository) => {
      const entries = await repository.listFiles((await repository.fetch(MAIN)) ?? '', '');
      expect(entries?.map(({ path, isPathInvalid }) => [path, isPathInvalid])).toEqual([
        ['caf\uFFFD', true],
        ['ü.md', undefined],
      ]);
    });
  });

  it('has no such directory', async () => {
    const source = await remote.addRepository();
    const oid = await source.commit({ 'a/b.md': 'b' });
    await open(source.url, async (repository) => {
      await repository.fetch(MAIN);
      for (const directory of [
        'c',
        'a/b.md',
        'a/..',
        '../a',
        './a',
        '/a',
        'a/',
        'a//b',
        'a\0',
        ':(glob)*',
        '--help',
      ]) {
        expect(await repository.listFiles(oid, directory), directory).toBeUndefined();
      }
      await expectGitError('unknown-commit', repository.listFiles('1'.repeat(40), ''));
      await expectGitError('unknown-commit', repository.readCommit('1'.repeat(40)));
      await expectGitError('unknown-commit', repository.readCommit('--help'));
    });
  });

  it('is shallow, and follows pushes and force pushes', async () => {
    const source = await remote.addRepository();
    await source.commit({ a: '1' });
    const second = await source.commit({ a: '2', b: '2' });
    const read = () =>
      open(source.url, async (repository) => textsOf(repository, (await repository.fetch(MAIN)) ?? ''));
    expect(await read()).toEqual({ a: '2', b: '2' });
    await source.commit({ a: '3' });
    expect(await read()).toEqual({ a: '3', b: '2' });
    await source.commit({ c: '4' }, { isRoot: true });
    expect(await read()).toEqual({ c: '4' });
    await source.git(['update-ref', MAIN, second]);
    expect(await read()).toEqual({ a: '2', b: '2' });
    await open(source.url, async (repository) => {
      const parent = (await source.git(['rev-parse', `${second}^`])).trim();
      await expectGitError('unknown-commit', repository.readCommit(parent));
    });
  });

  it('may follow another with a conflicting name', async () => {
    const source = await remote.addRepository();
    await source.commit({ a: '1' }, { branch: 'next' });
    const fetch = (ref: string) => open(source.url, (repository) => repository.fetch(ref));
    await fetch('refs/heads/next');
    await source.git(['update-ref', '-d', 'refs/heads/next']);
    const oid = await source.commit({ a: '2' }, { branch: 'next/one' });
    expect(await fetch('refs/heads/next/one')).toBe(oid);
    expect(await fetch('refs/heads/next')).toBeUndefined();
  });

  it('is missing, or the repository is empty', async () => {
    const source = await remote.addRepository();
    const both = async (ref: string) => [
      await open(source.url, (repository) => repository.fetch(ref)),
      await git.findRemoteCommit({ url: source.url }, ref, never()),
    ];
    expect(await both(MAIN)).toEqual([undefined, undefined]);
    await source.commit({ a: '1' }, { branch: 'x/refs/heads/main' });
    expect(await both(MAIN)).toEqual([undefined, undefined]);
  });

  it('is in a repository with SHA-256 ids', async () => {
    const source = await remote.addRepository(undefined, 'sha256');
    const oid = await source.commit({ 'a.md': 'a' });
    expect(oid).toHaveLength(64);
    await open(source.url, async (repository) => {
      expect(await repository.fetch(MAIN)).toBe(oid);
      expect(await textsOf(repository, oid)).toEqual({ 'a.md': 'a' });
      const [entry] = (await repository.listFiles(oid, '')) ?? [];
      expect(repository.blobId(Buffer.from('a'))).toBe(entry?.oid);
      const bytes = Buffer.from('b');
      const changes = [{ path: 'b.md', bytes, size: 1 }];
      const next = await repository.addCommit({ parent: oid, changes, message: 'b', ...SIGNATURES });
      expect(await repository.push(next, MAIN)).toBe(true);
    });
    expect(await source.files()).toEqual({ 'a.md': 'a', 'b.md': 'b' });
    expect(await git.findRemoteCommit({ url: source.url }, MAIN, never())).toBe(await source.head());
  });

  it('has a latin-1 message, and old signatures', async () => {
    const source = await remote.addRepository();
    await source.commit({ a: 'a' });
    const tree = (await source.git(['rev-parse', 'main^{tree}'])).trim();
    const text = `tree ${tree}\nauthor J\xFCrgen <j@example.com> 1 +0000\ncommitter J\xFCrgen <j@example.com> 2 +0000\n`;
    const commit = Buffer.from(`${text}encoding ISO-8859-1\n\nGr\xFC\xDFe\n`, 'latin1');
    const oid = (await source.git(['hash-object', '-t', 'commit', '-w', '--stdin'], commit)).trim();
    await source.git(['update-ref', MAIN, oid]);
    await open(source.url, async (repository) => {
      await repository.fetch(MAIN);
      expect(await repository.readCommit(oid)).toMatchObject({
        message: 'Grüße\n',
        author: { name: 'Jürgen', email: 'j@example.com' },
      });
    });
  });
});

/** Makes a commit without the identity that `git commit-tree` asks for. */
async function commitTree(
  run: (args: string[], input: string) => Promise<string>,
  tree: string,
): Promise<string> {
  const signature = 'Ada <ada@example.com> 1700000000 +0000';
  const text = `tree ${tree}\nauthor ${signature}\ncommitter ${signature}\n\nBy hand\n`;
  return (await run(['hash-object', '-t', 'commit', '-w', '--stdin'], text)).trim();
}

describe('a commit', () => {
  it('changes the named files only, and keeps modes', async () => {
    const source = await remote.addRepository();
    const before = {
      'a.md': 'a\r\n',
      'keep/\u00e9 "quoted".bin': Buffer.from([0, 1, 255]),
      'run.sh': { content: 'old', mode: '100755' as const },
      link: { content: 'a.md', mode: '120000' as const },
      'old.md': 'old',
    };
    const parent = await source.commit(before);
    const kept = await source.git(['ls-tree', '-r', parent, 'keep', 'link', 'a.md']);
    await open(source.url, async (repository) => {
      await repository.fetch(MAIN);
      const oid = await repository.addCommit({
        parent,
        changes: [
          { path: 'run.sh', bytes: Buffer.from('new'), size: 3 },
          { path: 'new/"\n\\ü.md', bytes: parts('one ', 'two'), size: 7 },
          { path: 'exec', bytes: Buffer.from('x'), size: 1, executable: true },
          { path: 'empty', bytes: Buffer.alloc(0), size: 0 },
          { path: 'old.md', isDeleted: true },
        ],
        message: 'Edit\n\nfrom refs/heads/x\nM 100644 inline evil',
        ...SIGNATURES,
        author: { name: 'Eve <x>\ncommitter', email: 'a b@example.com>' },
      });
      expect(await repository.push(oid, MAIN)).toBe(true);
      expect(await source.head()).toBe(oid);
    });
    expect(await source.files()).toEqual({
      'a.md': 'a\r\n',
      empty: '',
      exec: 'x',
      'keep/\u00e9 "quoted".bin': Buffer.from([0, 1, 255]).toString(),
      link: 'a.md',
      'new/"\n\\ü.md': 'one two',
      'run.sh': 'new',
    });
    expect(await source.git(['ls-tree', '-r', 'main', 'keep', 'link', 'a.md'])).toBe(kept);
    expect(await source.git(['ls-tree', 'main', 'run.sh', 'exec', 'empty'])).toMatch(
      /^100644 .*empty\n100755 .*exec\n100755 .*run\.sh\n$/,
    );
    expect((await source.commits())[0]).toMatchObject({
      author: 'Eve x committer <ab@example.com>',
      committer: 'Octavo <octavo@example.com>',
      message: 'Edit\n\nfrom refs/heads/x\nM 100644 inline evil\n',
    });
    await source.git(['fsck', '--strict']);
  });

  it('is the first one of an empty repository', async () => {
    const source = await remote.addRepository();
    await open(source.url, async (repository) => {
      expect(await repository.fetch(MAIN)).toBeUndefined();
      const changes = [{ path: 'README.md', bytes: Buffer.from('# New'), size: 5 }];
      const oid = await repository.addCommit({ parent: undefined, changes, message: 'First', ...SIGNATURES });
      expect(await repository.push(oid, MAIN)).toBe(true);
      const next = await repository.addCommit({
        parent: oid,
        changes: [{ path: 'b', bytes: Buffer.from('b'), size: 1 }],
        message: 'Second',
        ...SIGNATURES,
      });
      expect(await repository.push(next, MAIN)).toBe(true);
    });
    expect(await source.files()).toEqual({ 'README.md': '# New', b: 'b' });
    expect(await source.commits()).toHaveLength(2);
  });

  it('is not pushed if the remote has moved on', async () => {
    const source = await remote.addRepository();
    const parent = await source.commit({ a: '1' });
    const change = {
      changes: [{ path: 'b', bytes: Buffer.from('b'), size: 1 }],
      message: 'b',
      ...SIGNATURES,
    };
    await open(source.url, async (repository) => {
      await repository.fetch(MAIN);
      const oid = await repository.addCommit({ parent, ...change });
      const other = await source.commit({ a: '2' });
      expect(await repository.push(oid, MAIN)).toBe(false);
      expect(await source.head()).toBe(other);
      expect(await repository.fetch(MAIN)).toBe(other);
      expect(await repository.push(await repository.addCommit({ parent: other, ...change }), MAIN)).toBe(
        true,
      );
      // Rewritten to a commit without history.
      await source.commit({ c: '1' }, { isRoot: true });
      expect(await repository.push(oid, MAIN)).toBe(false);
    });
  });

  it.each([
    ['a hook', 'pre-receive', '#!/bin/sh\nprintf "\\033[31mPush through a review.\\033[0m\\n" >&2\nexit 1\n'],
    ['a protected branch', 'update', '#!/bin/sh\necho "Push through a review." >&2\nexit 1\n'],
  ])('is refused by %s', async (_what, hook, script) => {
    const source = await remote.addRepository();
    const parent = await source.commit({ a: '1' });
    await writeFile(path.join(source.folder, 'hooks', hook), script, { mode: 0o755 });
    await open(source.url, async (repository) => {
      await repository.fetch(MAIN);
      const changes = [{ path: 'b', bytes: Buffer.from('b'), size: 1 }];
      const oid = await repository.addCommit({ parent, changes, message: 'b', ...SIGNATURES });
      const error = await expectGitError('refused', repository.push(oid, MAIN));
      expect(error.message).toMatch(/refs\/heads\/main .*hook declined\): Push through a review\./);
    });
    expect(await source.head()).toBe(parent);
  });

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '../a',
    'a/../b',
    '.',
    '.git/config',
    'a/.GIT',
    'x/git~1/y',
    '.git./a',
    'a\0b',
    '.g\u200cit/a',
  ])('cannot have the path %j', async (name) => {
    const source = await remote.addRepository();
    await open(source.url, async (repository) => {
      const changes = [{ path: name, bytes: Buffer.from('b'), size: 1 }];
      const commit = { parent: undefined, changes, message: 'b', ...SIGNATURES };
      await expectGitError('invalid-path', repository.addCommit(commit));
    });
  });

  it('is not made of contents with another size', async () => {
    const source = await remote.addRepository();
    await open(source.url, async (repository) => {
      for (const size of [3, 8]) {
        const changes = [{ path: 'a', bytes: parts('one', 'two'), size }];
        const commit = { parent: undefined, changes, message: 'b', ...SIGNATURES };
        await expect(repository.addCommit(commit)).rejects.toThrow(`do not have ${size} bytes`);
      }
    });
  });

  it('has an unknown parent, or the changes fail', async () => {
    const source = await remote.addRepository();
    await open(source.url, async (repository) => {
      const commit = { changes: [], message: 'b', ...SIGNATURES };
      await expectGitError('failed', repository.addCommit({ ...commit, parent: '1'.repeat(40) }));
      async function* failing() {
        yield { path: 'a', bytes: Buffer.from('a'), size: 1 };
        await Promise.resolve();
        throw new Error('no more changes');
      }
      const failed = repository.addCommit({ ...commit, parent: undefined, changes: failing() });
      await expect(failed).rejects.toThrow('no more changes');
    });
  });
});

describe('an aborted commit', () => {
  it("ends with the caller's reason", async () => {
    const source = await remote.addRepository();
    const stopping = new AbortController();
    async function* changes() {
      for (let index = 0; ; index++) {
        yield await Promise.resolve({ path: `f${index}`, bytes: Buffer.alloc(10_000), size: 10_000 });
        if (index === 20) stopping.abort(new Error('stopping'));
      }
    }
    const { url } = source;
    const work = git.withRepository({ key: [url], remote: { url }, signal: stopping.signal }, (repository) =>
      repository.addCommit({ parent: undefined, changes: changes(), message: 'a', ...SIGNATURES }),
    );
    await expect(work).rejects.toThrow('stopping');
  });
});

async function* parts(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

describe('blobs', () => {
  it('are read in the order asked for, of any size, and repeatedly', async () => {
    const source = await remote.addRepository();
    const contents = [0, 1, 65_535, 65_536, 3_000_000, 20_000_000].map((size) => Buffer.alloc(size, 'x\n'));
    const oid = await source.commit(Object.fromEntries(contents.map((bytes, index) => [`f${index}`, bytes])));
    await open(source.url, async (repository) => {
      await repository.fetch(MAIN);
      const order = [5, 0, 3, 4, 4, 1, 2, 0];
      const entries = (await repository.listFiles(oid, '')) ?? [];
      let index = 0;
      for await (const bytes of repository.readBlobs(order.map((at) => entries[at]?.oid ?? ''))) {
        const expected = contents[order[index++] ?? 0] ?? Buffer.alloc(0);
        expect(createHash('sha1').update(bytes).digest('hex')).toBe(
          createHash('sha1').update(expected).digest('hex'),
        );
      }
      expect(index).toBe(order.length);
      for await (const bytes of repository.readBlobs([entries[5]?.oid ?? '', entries[4]?.oid ?? ''])) {
        expect(bytes).toHaveLength(20_000_000);
        break;
      }
    });
  });
});

describe('copies', () => {
  const cached = async () => (await readdir(folder)).filter((name) => name.endsWith('.git'));

  it('are kept by key, and nothing else remains', async () => {
    const source = await remote.addRepository();
    await source.commit({ a: '1' });
    const before = await cached();
    const use = (key: string[]) =>
      git.withRepository({ key, remote: { url: source.url }, signal: never() }, (repository) =>
        repository.fetch(MAIN),
      );
    await use(['a', 'b']);
    await use(['ab']);
    await use(['a', 'b']);
    await use(['../../escape', '/etc']);
    expect(await cached()).toHaveLength(before.length + 3);
    expect((await readdir(folder)).filter((name) => !/^[0-9a-f]{64}\.git$/.test(name))).toEqual([]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('are not kept for a repository that was never read', async () => {
    const before = await cached();
    await expectGitError(
      'no-repository',
      open(`${remote.origin}/nothing.git`, (repository) => repository.fetch(MAIN)),
    );
    expect(await cached()).toEqual(before);
  });

  it('that are damaged are fetched again', async () => {
    const source = await remote.addRepository();
    const oid = await source.commit({ a: '1', b: '2' });
    const { git: own, folder: ownFolder } = await aGit(remote);
    const read = () =>
      open(source.url, async (repository) => textsOf(repository, (await repository.fetch(MAIN)) ?? ''), own);
    const packs = async () => {
      const [copy = ''] = await readdir(ownFolder);
      const pack = path.join(ownFolder, copy, 'objects', 'pack');
      return {
        copy: path.join(ownFolder, copy),
        files: (await readdir(pack)).map((name) => path.join(pack, name)),
      };
    };
    // Git writes packs read-only.
    const overwrite = async (file: string, content: Uint8Array | string) => {
      await chmod(file, 0o600);
      await writeFile(file, content);
    };
    await read();
    for (const damage of [
      async () => {
        for (const file of (await packs()).files) await overwrite(file, 'damaged');
      },
      async () => {
        for (const file of (await packs()).files) {
          const bytes = await readFile(file);
          await overwrite(file, file.endsWith('.pack') ? bytes.subarray(0, bytes.length / 2) : bytes);
        }
      },
      async () => writeFile(path.join((await packs()).copy, 'HEAD'), 'damaged'),
      async () => writeFile(path.join((await packs()).copy, 'shallow.lock'), ''),
      async () => writeFile(path.join((await packs()).copy, 'config'), '[damaged'),
      async () => writeFile(path.join((await packs()).copy, 'shallow'), 'damaged'),
    ]) {
      await damage();
      await source.commit({ a: String(Math.random()) });
      expect(await read()).toMatchObject({ b: '2' });
    }
    expect(oid).not.toBe(await source.head());
  });

  it('of many fetches and commits are packed together', async () => {
    const source = await remote.addRepository();
    let parent = await source.commit({ a: '1' });
    const { git: own, folder: ownFolder } = await aGit(remote);
    const use = () => open(source.url, (repository) => repository.fetch(MAIN), own);
    await use();
    await source.commit({ a: '2' });
    await open(
      source.url,
      async (repository) => {
        parent = (await repository.fetch(MAIN)) ?? '';
        for (let index = 0; index < 50; index++) {
          const changes = [{ path: `f${index}`, bytes: Buffer.from('b'), size: 1 }];
          parent = await repository.addCommit({ parent, changes, message: 'b', ...SIGNATURES });
        }
        expect(await repository.push(parent, MAIN)).toBe(true);
      },
      own,
    );
    const [copy = ''] = await readdir(ownFolder);
    const names = await readdir(path.join(ownFolder, copy, 'objects', 'pack'));
    expect(names.filter((name) => name.endsWith('.pack'))).toHaveLength(1);
    const shallow = await readFile(path.join(ownFolder, copy, 'shallow'), 'utf8');
    expect(shallow.trim().split('\n')).toHaveLength(1);
    expect(await use()).toBe(parent);
  });

  it('and jobs that were left are removed', async () => {
    const source = await remote.addRepository();
    await source.commit({ a: '1' });
    const { git: own, folder: ownFolder } = await aGit(remote);
    const read = () => open(source.url, (repository) => repository.fetch(MAIN), own);
    await read();
    const [copy = ''] = await readdir(ownFolder);
    const abandoned = `${copy.replace(/\.git$/, '')}.crashed.job`;
    await writeFile(path.join(ownFolder, abandoned), 'https://user:password@example.com');
    await read();
    expect(await readdir(ownFolder)).toEqual([copy]);
    await removeOldCopies(ownFolder, new Date(Date.now() + 6 * 86_400_000));
    expect(await readdir(ownFolder)).toEqual([copy]);
    await utimes(path.join(ownFolder, copy), new Date(0), new Date(0));
    await removeOldCopies(ownFolder);
    expect(await readdir(ownFolder)).toEqual([]);
    await removeOldCopies(path.join(ownFolder, 'nothing'));
  });
});

describe('a remote with a password', () => {
  it.each([
    ['octavo', 'p@ss:w/rd %41é"\'$(x)`'],
    ['', 'token-without-a-name'],
    ['token-without-a-password', ''],
  ])('is read and written as %j', async (username, password) => {
    const secured = await startGitRemote({ username: username || 'oauth2', password });
    const { git: own } = await aGit(secured);
    const source = await secured.addRepository();
    const parent = await source.commit({ a: '1' });
    const url = source.url.replace(
      '//',
      `//${encodeURIComponent(username)}:${encodeURIComponent(password)}@`,
    );
    const { remote: parsed } = parseRemote(url);
    expect(parsed).toEqual({ url: source.url, credential: { username, password } });
    await own.withRepository({ key: ['k'], remote: parsed, signal: never() }, async (repository) => {
      expect(await repository.fetch(MAIN)).toBe(parent);
      // More than git sends in one piece.
      const bytes = randomBytes(3_000_000);
      const changes = [{ path: 'b', bytes, size: bytes.length }];
      const oid = await repository.addCommit({ parent, changes, message: 'b', ...SIGNATURES });
      expect(await repository.push(oid, MAIN)).toBe(true);
    });
    expect(await own.findRemoteCommit(parsed, MAIN, never())).toBe(await source.head());
    for (const wrong of [
      { url: parsed.url },
      { ...parsed, credential: { username: 'x', password: 'wrong' } },
    ]) {
      const error = await expectGitError('unauthorised', own.findRemoteCommit(wrong, MAIN, never()));
      expect(error.message).not.toContain('wrong');
    }
  });
});
