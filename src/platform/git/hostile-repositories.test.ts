import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aGit, never } from '../../../test/git.ts';
import { type GitRemote, startGitRemote } from '../../../test/git-remote.ts';
import { HARMLESS_NAMES, REFUSED_NAMES } from '../../../test/hostile-git.ts';
import {
  blobOf,
  branchOf,
  commitOf,
  deltaSize,
  type FakeBranch,
  type FakeObject,
  oidOf,
  packOf,
  treeOf,
  uploadPack,
} from '../../../test/upload-pack.ts';
import type { Git, GitError, GitOptions, TreeEntry } from './index.ts';

const MAIN = 'refs/heads/main';
const blob = blobOf('hostile\n');
let canary: string;
let remote: GitRemote;
let git: Git;
let folder: string;

beforeAll(async () => {
  canary = path.join(await mkdtemp(path.join(tmpdir(), 'octavo-canary-')), 'executed');
  remote = await startGitRemote();
  ({ git, folder } = await aGit(remote));
  await mkdir(folder);
});

/** Nothing has been executed, and nothing is beside the cached copies. */
async function expectNothingElse(): Promise<void> {
  expect(existsSync(canary)).toBe(false);
  expect(await readdir(path.dirname(folder))).toEqual(['copies']);
  expect((await readdir(folder)).filter((name) => !/^[0-9a-f]{64}\.git$/.test(name))).toEqual([]);
}

afterEach(expectNothingElse);

interface Outcome {
  readonly reason?: string;
  readonly message?: string;
  readonly entries?: readonly TreeEntry[];
  readonly texts?: readonly string[];
}

/** Fetches, lists and reads a branch. */
async function importFrom(url: string, using: Git = git): Promise<Outcome> {
  const outcome = using.withRepository(
    { key: [url], remote: { url }, signal: never() },
    async (repository) => {
      const commit = (await repository.fetch(MAIN)) ?? '';
      await repository.readCommit(commit);
      const entries = (await repository.listFiles(commit, '')) ?? [];
      const oids = entries.filter((entry) => entry.kind !== 'submodule').map((entry) => entry.oid);
      const texts: string[] = [];
      for await (const bytes of repository.readBlobs(oids)) texts.push(Buffer.from(bytes).toString());
      return { entries, texts };
    },
  );
  return outcome.catch(({ reason, message, name }: GitError) => ({ reason: reason ?? name, message }));
}

let served = 0;

async function importFake(branch: FakeBranch, options: Partial<GitOptions> = {}): Promise<Outcome> {
  remote.intercept = uploadPack(branch);
  try {
    const own = await aGit(remote, options);
    const outcome = await importFrom(`${remote.origin}/fake-${++served}.git`, own.git);
    expect((await readdir(own.folder)).filter((name) => name.endsWith('.job'))).toEqual([]);
    expect(await readdir(path.dirname(own.folder))).toEqual(['copies']);
    return outcome;
  } finally {
    remote.intercept = undefined;
  }
}

describe('names in trees', () => {
  it('of a well-made pack are read', async () => {
    const tree = treeOf([{ name: 'a.md', oid: oidOf(blob) }]);
    expect(await importFake(branchOf(tree, [blob]))).toMatchObject({ texts: ['hostile\n'] });
  });

  it.each(REFUSED_NAMES)('%j is refused', async (name) => {
    for (const mode of ['100644', '40000', '120000']) {
      const inner = treeOf([{ name: 'config', oid: oidOf(blob) }]);
      const tree = treeOf([{ name, mode, oid: oidOf(mode === '40000' ? inner : blob) }]);
      const { reason, message } = await importFake(branchOf(tree, [inner, blob]));
      expect(reason, mode).toBe('invalid-repository');
      expect(message).toMatch(/invalid/);
    }
  });

  it('of other kinds are only names', async () => {
    const names = HARMLESS_NAMES.map((name) => name.replaceAll('CANARY', canary.replaceAll('/', '_')));
    const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const tree = treeOf(sorted.map((name) => ({ name, oid: oidOf(blob) })));
    const { entries, reason, message } = await importFake(branchOf(tree, [blob]));
    expect([reason, message]).toEqual([undefined, undefined]);
    expect(entries?.map((entry) => entry.path)).toEqual(sorted);
  });

  it.each([
    ['twice', [{ name: 'a' }, { name: 'a' }]],
    ['in another order', [{ name: 'b' }, { name: 'a' }]],
    ['of no object', [{ name: 'a', oid: '0'.repeat(40) }]],
    ['of a file and a folder', [{ name: 'a' }, { name: 'a', mode: '40000' }]],
    ['of a folder that is a file', [{ name: 'a', mode: '40000' }]],
    ['of a file that is missing', [{ name: 'a', oid: '1'.repeat(40) }]],
  ])('%s are refused', async (_what, entries) => {
    const tree = treeOf(entries.map((entry) => ({ oid: oidOf(blob), ...entry })));
    const { reason } = await importFake(branchOf(tree, [blob]));
    expect(reason).toMatch(/^(invalid-repository|failed|damaged-copy)$/);
  });

  it('with unknown modes are not files', async () => {
    const tree = treeOf([{ name: 'a', mode: '777777', oid: oidOf(blob) }]);
    expect(await importFake(branchOf(tree, [blob]))).toMatchObject({ entries: [{ kind: 'submodule' }] });
  });

  it('with zeros in their modes are read', async () => {
    const inner = treeOf([{ name: 'a', oid: oidOf(blob) }]);
    const tree = treeOf([{ name: 'd', mode: '040000', oid: oidOf(inner) }]);
    expect(await importFake(branchOf(tree, [inner, blob]))).toMatchObject({ entries: [{ path: 'd/a' }] });
  });
});

describe('objects', () => {
  it.each([
    ['garbage', () => ({ oid: '1'.repeat(40), pack: Buffer.from('garbage') })],
    ['nothing', () => ({ oid: '1'.repeat(40), pack: Buffer.alloc(0) })],
    ['an empty pack', () => ({ oid: '1'.repeat(40), pack: packOf([]) })],
    ['a pack that ends early', () => cut(branchOf(treeOf([]), []), -30)],
    ['a pack with another checksum', () => cut(branchOf(treeOf([]), []), -1)],
    ['a billion objects', () => ({ oid: oidOf(blob), pack: packOf([blob], 1_000_000_000) })],
    ['another object than announced', () => ({ oid: '1'.repeat(40), pack: packOf([blob]) })],
    ['a blob as the branch', () => ({ oid: oidOf(blob), pack: packOf([blob]) })],
    ['a tree as the branch', () => ({ oid: oidOf(treeOf([])), pack: packOf([treeOf([])]) })],
    ['a commit without a tree', () => fakeCommit('', [])],
    ['a commit of a blob', () => fakeCommit(oidOf(blob), [blob])],
    ['a commit with a zero byte', () => fakeCommit(oidOf(treeOf([])), [treeOf([])], 'x \0\n')],
    ['a tag as the branch', () => fakeTag()],
    ['10 GB of one blob, by its header', () => hugeBlob(10 * 1024 ** 3)],
    ['a negative size, by its header', () => hugeBlob(2 ** 63)],
    ['a delta of 4 GB', () => deltaBomb(4 * 1024 ** 3)],
    ['a delta of 1 TB', () => deltaBomb(1024 ** 4)],
    ['a delta of itself', () => ({ oid: '1'.repeat(40), pack: packOf([deltaOf('1'.repeat(40), 10, [])]) })],
  ])('%s: refused', async (_what, make) => {
    const { reason } = await importFake(make());
    expect(reason).toMatch(/^(invalid-repository|too-large|failed)$/);
  });

  const cut = ({ oid, pack }: FakeBranch, end: number): FakeBranch => ({
    oid,
    pack: Buffer.concat([pack.subarray(0, end), Buffer.alloc(end === -1 ? 1 : 0, 7)]),
  });

  function fakeCommit(tree: string, objects: FakeObject[], header = ''): FakeBranch {
    const commit = commitOf(tree, header);
    return { oid: oidOf(commit), pack: packOf([commit, ...objects]) };
  }

  function fakeTag(): FakeBranch {
    const commit = commitOf(oidOf(treeOf([])));
    const text = `object ${oidOf(commit)}\ntype commit\ntag v1\ntagger Ada <a@example.com> 1 +0000\n\nTag\n`;
    const tag: FakeObject = { type: 'tag', data: Buffer.from(text) };
    return { oid: oidOf(tag), pack: packOf([tag, commit, treeOf([])]) };
  }

  function hugeBlob(size: number): FakeBranch {
    const tree = treeOf([{ name: 'a', oid: oidOf(blob) }]);
    const commit = commitOf(oidOf(tree));
    return { oid: oidOf(commit), pack: packOf([commit, tree, { ...blob, size }]) };
  }

  const deltaOf = (base: string, size: number, instructions: number[]): FakeObject => ({
    type: 'delta',
    base,
    data: Buffer.from([...deltaSize(blob.data.length), ...deltaSize(size), ...instructions]),
  });

  /** A few bytes that declare a large result. */
  function deltaBomb(size: number): FakeBranch {
    const tree = treeOf([{ name: 'a', oid: oidOf(blob) }]);
    const commit = commitOf(oidOf(tree));
    const delta = deltaOf(oidOf(blob), size, [0x90, blob.data.length]);
    return { oid: oidOf(commit), pack: packOf([commit, tree, blob, delta]) };
  }

  it('that deltas expand beyond the memory are refused', async () => {
    const base: FakeObject = { type: 'blob', data: Buffer.alloc(0xff_ff_ff) };
    const copies = 20;
    const sizes = [...deltaSize(base.data.length), ...deltaSize(base.data.length * copies)];
    // Each copies the whole base, from offset 0.
    const instructions = Array.from({ length: copies }, () => [0xf0, 0xff, 0xff, 0xff]).flat();
    const delta: FakeObject = {
      type: 'delta',
      base: oidOf(base),
      data: Buffer.from([...sizes, ...instructions]),
    };
    const branch = branchOf(treeOf([{ name: 'a', oid: oidOf(base) }]), [base, delta]);
    expect(branch.pack.length).toBeLessThan(200_000);
    expect(await importFake(branch)).toMatchObject({ reason: 'too-large' });
  });

  it('that expand to a large file are listed, not read', async () => {
    const zeros: FakeObject = { type: 'blob', data: Buffer.alloc(120 * 1024 * 1024) };
    const branch = branchOf(treeOf([{ name: 'zeros', oid: oidOf(zeros) }]), [zeros]);
    expect(branch.pack.length).toBeLessThan(2_000_000);
    expect(await importFake(branch)).toMatchObject({ reason: 'too-large' });
  });

  it('of a pack without end are refused by size', async () => {
    const noise: FakeObject = { type: 'blob', data: randomBytes(3_000_000) };
    const branch = branchOf(treeOf([{ name: 'a', oid: oidOf(noise) }]), [noise]);
    const limits = { copyBytes: 100_000, pollMs: 5 };
    expect(await importFake(branch, { limits })).toMatchObject({ reason: 'too-large' });
  });

  it('of 60,000 files are too many', async () => {
    const entries = Array.from({ length: 60_000 }, (_, at) => ({
      name: `f${String(at).padStart(5, '0')}`,
      oid: oidOf(blob),
    }));
    expect(await importFake(branchOf(treeOf(entries), [blob]))).toMatchObject({ reason: 'too-many-files' });
  });

  it('of ten billion files, by ten trees, are too many', async () => {
    const trees: FakeObject[] = [treeOf([{ name: 'a', oid: oidOf(blob) }])];
    for (let level = 0; level < 10; level++) {
      const oid = oidOf(trees[0] ?? blob);
      trees.unshift(treeOf(Array.from({ length: 10 }, (_, at) => ({ name: `d${at}`, mode: '40000', oid }))));
    }
    const [top = blob, ...others] = trees;
    expect(await importFake(branchOf(top, [...others, blob]))).toMatchObject({ reason: 'too-many-files' });
  });

  it.each([1000, 50_000])('of a tree with %i levels end in a list or an error', async (levels) => {
    const trees: FakeObject[] = [treeOf([{ name: 'a', oid: oidOf(blob) }])];
    for (let level = 0; level < levels; level++) {
      trees.push(treeOf([{ name: 'd', mode: '40000', oid: oidOf(trees.at(-1) ?? blob) }]));
    }
    const outcome = await importFake(branchOf(trees.at(-1) ?? blob, [...trees.slice(0, -1), blob]));
    const path = `${'d/'.repeat(levels)}a`;
    // Git 2.39 recurses, and may exhaust its stack.
    if (outcome.reason === undefined) expect(outcome.entries).toMatchObject([{ path }]);
    else expect([levels, outcome.reason]).toEqual([50_000, 'invalid-repository']);
  });
});

describe('what a remote says', () => {
  it('has no control characters in errors', async () => {
    const tree = treeOf([{ name: '..', oid: oidOf(blob) }]);
    const messages = [
      '\u001B]0;title\u0007\u001B[2Jfatal: fsck error \u202E evil\n',
      `${'x'.repeat(50_000)}\n`,
    ];
    const { message } = await importFake({ ...branchOf(tree, [blob]), messages });
    expect(message).toMatch(/^[\u0020-\u007E]{20,800}$/);
  });

  it.each([
    ['names that are no refs', ['1111 refs/heads/main\n']],
    ['options', [`${'1'.repeat(40)} --upload-pack=touch\n`]],
    ['paths', [`${'1'.repeat(40)} refs/heads/../../../../etc/passwd\n`]],
    ['zeros', [`${'0'.repeat(40)} refs/heads/main\n`]],
    ['a symbolic ref', [`${'1'.repeat(40)} refs/heads/main symref-target:/etc/passwd\n`]],
    ['many refs', Array.from({ length: 20_000 }, (_, at) => `${'1'.repeat(40)} refs/heads/b${at}\n`)],
    ['garbage', ['\0\u0001garbage']],
  ])('in the list of branches: %s', async (_what, refs) => {
    const { reason } = await importFake({ oid: '1'.repeat(40), pack: packOf([]), refs });
    expect(reason).toMatch(/^(invalid-repository|failed|unknown-commit|no-repository)$/);
  });
});

describe('contents that programs of git would obey', () => {
  const COMMANDS: Readonly<Record<string, string>> = {
    '.gitattributes': '* filter=evil diff=evil merge=evil export-subst ident working-tree-encoding=UTF-16\n',
    '.gitconfig':
      '[core]\n\tfsmonitor = touch CANARY\n\tsshCommand = touch CANARY\n[alias]\n\tx = !touch CANARY\n',
    '.lfsconfig':
      '[lfs]\n\turl = ext::sh -c touch% CANARY\n[lfs "customtransfer.x"]\n\tpath = touch CANARY\n',
    '.mailmap': 'Eve <eve@example.com> <ada@example.com>\n',
    'hooks/post-checkout': '#!/bin/sh\ntouch CANARY\n',
    'hooks/reference-transaction': '#!/bin/sh\ntouch CANARY\n',
    'objects/info/alternates': '/etc\n',
    HEAD: 'ref: refs/heads/../../../etc/passwd\n',
    config: '[core]\n\tfsmonitor = touch CANARY\n\tbare = false\n\tworktree = /\n',
    'large.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 99999999999\n',
  };

  it('are read as they are', async () => {
    const source = await remote.addRepository();
    const files = Object.fromEntries(
      Object.entries(COMMANDS).map(([name, text]) => [
        name,
        { content: text.replaceAll('CANARY', canary), mode: '100755' as const },
      ]),
    );
    await source.commit({ ...files, link: { content: '../../../../../etc/passwd', mode: '120000' } });
    const { entries, texts } = await importFrom(source.url);
    expect(entries).toHaveLength(Object.keys(COMMANDS).length + 1);
    const link = entries?.findIndex((entry) => entry.kind === 'link') ?? -1;
    expect(texts?.[link]).toBe('../../../../../etc/passwd');
    expect(texts).toContain(files['.gitattributes']?.content);
  });

  it.each([
    ['[submodule "a"]\n\tpath = a\n\turl = ext::sh -c "touch CANARY"\n'],
    ['[submodule "a"]\n\tpath = "a\\r"\n\turl = https://example.com/a.git\n'],
    ['[submodule "a\r"]\n\tpath = a\r\n\turl = file:///etc\n'],
    ['[submodule "../../hooks"]\n\tpath = a\n\turl = https://example.com/a.git\n'],
    ['[submodule "a"]\n\tpath = -a\n\turl = --upload-pack=touch\n'],
    ['[submodule "a"]\n\tpath = a\n\turl = https://example.com/%0atouch\n\tupdate = !touch CANARY\n'],
    ['[submodule "a"\n'],
  ])('in .gitmodules are never followed: %j', async (text) => {
    const modules = blobOf(text.replaceAll('CANARY', canary));
    const tree = treeOf([
      { name: '.gitmodules', oid: oidOf(modules) },
      { name: 'a', mode: '160000', oid: '1'.repeat(40) },
    ]);
    const { reason, entries } = await importFake(branchOf(tree, [modules]));
    if (reason === undefined) {
      expect(entries?.map((entry) => entry.kind)).toEqual(['file', 'submodule']);
    } else expect(reason).toBe('invalid-repository');
  });

  it.each(['.gitmodules', '.gitattributes', '.gitignore', '.mailmap'])(
    'as the link %s are not followed',
    async (name) => {
      const target = blobOf('/etc/passwd');
      const tree = treeOf([{ name, mode: '120000', oid: oidOf(target) }]);
      const { reason, texts } = await importFake(branchOf(tree, [target]));
      if (reason === undefined) expect(texts).toEqual(['/etc/passwd']);
      else expect(reason).toBe('invalid-repository');
    },
  );

  it('replace objects of the remote are not used', async () => {
    const source = await remote.addRepository();
    const good = await source.commit({ a: 'good' });
    const evil = await source.commit({ a: 'evil' }, { branch: 'evil', isRoot: true });
    await source.git(['update-ref', `refs/replace/${good}`, evil]);
    await writeFile(path.join(source.folder, 'HEAD'), 'ref: refs/heads/evil\n');
    expect(await importFrom(source.url)).toMatchObject({ texts: ['good'] });
    const tags = await source.git(['tag', 'v1', 'main']);
    expect(tags).toBe('');
    expect(await importFrom(source.url)).toMatchObject({ texts: ['good'] });
  });
});
