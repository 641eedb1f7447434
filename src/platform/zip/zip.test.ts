import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { craftZip, craftZip64, type CraftedEntry } from '../../../test/zip.ts';
import { openZip, writeStoredZip, ZipError } from './index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'octavo-zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LIMITS = { entries: 1000, bytes: 50 * 1024 * 1024 };
let written = 0;

function onDisk(bytes: Uint8Array): string {
  const file = path.join(folder, `${written++}.zip`);
  writeFileSync(file, bytes);
  return file;
}

const open = (bytes: Uint8Array, limits = LIMITS) => openZip(onDisk(bytes), limits);

async function contentsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const zip = await open(bytes);
  const contents: Record<string, string> = {};
  for (const entry of zip.entries) contents[entry.path] = (await entry.read()).toString();
  zip.close();
  return contents;
}

async function reasonOf(bytes: Uint8Array, limits = LIMITS): Promise<string> {
  try {
    const zip = await open(bytes, limits);
    zip.close();
    return 'opened';
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    return error.reason;
  }
}

const file = (name: string, content = 'x'): CraftedEntry => ({ name, content });

describe('valid archives', () => {
  test('what was written is read, also without entries', async () => {
    const entries = [
      { name: 'README.md', bytes: Buffer.from('# Home\n') },
      { name: 'Über uns/日本.md', bytes: Buffer.from('Text') },
      { name: 'empty', bytes: Buffer.alloc(0) },
    ];
    expect(await contentsOf(writeStoredZip(entries))).toEqual({
      'README.md': '# Home\n',
      'Über uns/日本.md': 'Text',
      empty: '',
    });
    expect(await contentsOf(writeStoredZip([]))).toEqual({});
  });

  test('deflated entries, ZIP64, and slashes of Windows', async () => {
    const entries = [{ name: 'a\\b.md', content: 'Text '.repeat(1000), deflate: true }];
    expect(await contentsOf(craftZip(entries))).toEqual({ 'a/b.md': 'Text '.repeat(1000) });
    expect(await contentsOf(craftZip64(entries))).toEqual({ 'a/b.md': 'Text '.repeat(1000) });
  });

  test('names in the old code page, and in UTF-8 without saying so', async () => {
    const old = { name: Buffer.from([0x81, 0x62, 0x65, 0x72]), content: 'x', flags: 0 };
    const unsaid = { name: 'Größe.md', content: 'y', flags: 0 };
    expect(await contentsOf(craftZip([old, unsaid]))).toEqual({ über: 'x', 'Größe.md': 'y' });
  });

  test('folders are no files; links and second names are skipped', async () => {
    const zip = await open(
      craftZip([
        { name: 'docs/' },
        file('docs/a.md'),
        file('docs/A.md'),
        { name: 'link', content: '/etc/passwd', mode: 0o120777 },
        file('./docs/./b.md'),
      ]),
    );
    expect(zip.entries.map((entry) => entry.path)).toEqual(['docs/a.md', 'docs/b.md']);
    expect(zip.skipped).toEqual([
      { path: 'docs/A.md', reason: 'another entry has the same name' },
      { path: 'link', reason: 'it is a symbolic link' },
    ]);
    zip.close();
  });
});

describe('refused before anything is inflated', () => {
  test.each([
    '../evil.md',
    'a/../../evil.md',
    '..',
    'a/..',
    '/etc/passwd',
    '//host/share',
    '\\evil.md',
    '..\\evil.md',
    'a\\..\\..\\evil.md',
    'C:\\evil.md',
    'c:evil.md',
    'C:/evil.md',
    'a\0.md',
    '\0',
    './../evil.md',
    'x'.repeat(1001),
    './',
  ])('the name %j', async (name) => {
    expect(await reasonOf(craftZip([file('a.md'), file(name)]))).toBe('unsafe-path');
  });

  test.each<[string, Uint8Array, string]>([
    ['an empty file', Buffer.alloc(0), 'not-zip'],
    ['text', Buffer.from('# Not a ZIP\n'), 'not-zip'],
    ['a truncated archive', craftZip([file('a.md')]).subarray(0, 40), 'damaged'],
    ['a directory that is cut', cutDirectory(), 'damaged'],
    [
      'encrypted entries',
      craftZip([{ ...file('a.md'), flags: 1, size: 1, compressedSize: 13 }]),
      'encrypted',
    ],
    ['strong encryption', craftZip([{ ...file('a.md'), flags: 0x41 }]), 'encrypted'],
    [
      'a bomb',
      craftZip([{ name: 'a', content: Buffer.alloc(20 * 1024 * 1024), deflate: true }]),
      'too-large',
    ],
    ['a declared terabyte', craftZip([{ ...file('a'), method: 8, size: 0xfffffff0 }]), 'too-large'],
    ['many large files', craftZip(Array.from({ length: 20 }, (_, n) => sized(n, 3e6))), 'too-large'],
    ['a million entries', craftZip64([file('a')], 1_000_000n), 'too-large'],
    ['overlapping entries', craftZip([file('a', 'abc'), { ...file('b', 'abc'), offset: 0 }]), 'damaged'],
    ['a lying size of a stored entry', craftZip([{ ...file('a', 'abc'), size: 2 }]), 'damaged'],
  ])('%s', async (_, bytes, reason) => {
    expect(await reasonOf(bytes)).toBe(reason);
  });
});

/** The end says where the directory should be, and there is none. */
function cutDirectory(): Buffer {
  const bytes = craftZip([file('a.md')]);
  bytes.writeUInt32LE(3, bytes.length - 6);
  return bytes;
}

/** Declares a size with a plausible ratio. */
const sized = (number: number, size: number): CraftedEntry => ({
  name: `${number}`,
  content: Buffer.alloc(size / 500, 'x'),
  method: 8,
  size,
});

describe('entries that are read', () => {
  test.each<[string, CraftedEntry]>([
    ['more bytes than declared', { name: 'a', content: 'x'.repeat(5000), deflate: true, size: 100 }],
    ['fewer bytes than declared', { name: 'a', content: 'x'.repeat(5000), deflate: true, size: 6000 }],
    ['a wrong checksum', { name: 'a', content: 'abc', checksum: 1 }],
    ['no valid compression', { name: 'a', content: 'abc', method: 8 }],
    ['an unknown method', { name: 'a', content: 'abc', method: 14 }],
  ])('%s: refused alone', async (_, entry) => {
    const zip = await open(craftZip([entry, file('good', 'Good')]));
    const [bad, good] = zip.entries;
    await expect(bad?.read()).rejects.toBeInstanceOf(ZipError);
    expect((await good?.read())?.toString()).toBe('Good');
    zip.close();
  });
});
