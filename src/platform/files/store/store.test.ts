import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CUT_SHORT,
  FAIL_CUT_SHORT,
  HANG_UP,
  SECRET,
  serveBucket,
  type ServedBucket,
} from '../../../../test/bucket.ts';
import { type Files, type ListedFile, openFiles } from '../index.ts';

const LIMIT = { maxBytes: 1_000_000 };
const HOUR_MS = 3_600_000;

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const keyOf = (hash: string) => `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;

let bucket: ServedBucket;

beforeAll(async () => {
  bucket = await serveBucket();
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

beforeEach(() => {
  bucket.objects.clear();
  bucket.failures.length = 0;
  bucket.requests.length = 0;
});

const home = mkdtempSync(join(tmpdir(), 'octavo-store-'));
let count = 0;
const aFolder = () => join(home, String(count++), 'files');
const aBucket = (path?: string, more?: string) => bucket.target(path, more);
async function listAll(files: Files): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for await (const file of files.list()) listed.push(file);
  return listed;
}

const read = async (files: Files, hash: string, range?: { start: number; end: number }) => {
  const opened = await files.open(hash, range);
  return opened && { size: opened.size, text: (await buffer(opened.stream)).toString('latin1') };
};

/** Ages what is stored, behind the back of the store. */
function age(root: string, hash: string, byMs: number): void {
  const then = new Date(Date.now() - byMs);
  const stored = bucket.objects.get(`some/prefix/${keyOf(hash)}`);
  if (stored) stored.storedAt = then;
  else utimesSync(join(root, keyOf(hash)), then, then);
}

describe.each(['folder', 'bucket'])('a %s', (kind) => {
  let files: Files;
  let root: string;

  beforeEach(async () => {
    root = aFolder();
    files = await openFiles(kind === 'folder' ? root : aBucket());
    return () => files.close();
  });

  const contents: [string, () => Uint8Array | AsyncIterable<Uint8Array>, string][] = [
    ['bytes', () => Buffer.from('hello'), 'hello'],
    ['a stream', () => Readable.from([Buffer.from('hel'), Buffer.from('lo')]), 'hello'],
    ['nothing', () => new Uint8Array(), ''],
    ['an empty stream', () => Readable.from([]), ''],
    ['part of a buffer', () => Buffer.from('a hello').subarray(2), 'hello'],
  ];
  it.each(contents)('keeps %s', async (_what, content, expected) => {
    const stored = await files.put(content(), LIMIT);
    expect(stored).toEqual({ hash: sha256(expected), size: expected.length });
    expect(await files.has(stored.hash)).toBe(true);
    expect(await read(files, stored.hash)).toEqual({ size: expected.length, text: expected });
  });

  it('keeps large content in pieces', async () => {
    const content = randomBytes(900_000);
    const stored = await files.put(
      Readable.from(Array.from({ length: 9 }, (_, i) => content.subarray(i * 100_000, (i + 1) * 100_000))),
      LIMIT,
    );
    const opened = await files.open(stored.hash);
    expect(opened && sha256(await buffer(opened.stream))).toBe(sha256(content));
  });

  it('gives a part', async () => {
    const { hash } = await files.put(Buffer.from('0123456789'), LIMIT);
    expect(await read(files, hash, { start: 2, end: 4 })).toEqual({ size: 10, text: '234' });
    expect(await read(files, hash, { start: 9, end: 9 })).toEqual({ size: 10, text: '9' });
  });

  it('keeps the same content once, from many at a time', async () => {
    const puts = Array.from({ length: 20 }, (_, i) =>
      files.put(i % 2 ? Buffer.from('same') : Readable.from([Buffer.from('same')]), LIMIT),
    );
    expect(new Set((await Promise.all(puts)).map((stored) => stored.hash)).size).toBe(1);
    expect(await listAll(files)).toHaveLength(1);
  });

  it('refuses what is too large, and keeps nothing of it', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1000);
      })(),
    );
    const tooLarge = { name: 'FilesError', reason: 'too-large' };
    await expect(files.put(endless, { maxBytes: 99_999 })).rejects.toMatchObject(tooLarge);
    await expect(files.put(Buffer.alloc(11), { maxBytes: 10 })).rejects.toMatchObject(tooLarge);
    expect(endless.destroyed).toBe(true);
    expect(kind === 'folder' ? readdirSync(join(root, 'tmp')) : []).toEqual([]);
    expect(await files.put(Buffer.alloc(10), { maxBytes: 10 })).toMatchObject({ size: 10 });
    expect(await listAll(files)).toHaveLength(1);
  });

  it('keeps nothing of a stream that breaks', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('connection lost');
      })(),
    );
    await expect(files.put(broken, LIMIT)).rejects.toThrow('connection lost');
    expect(await listAll(files)).toEqual([]);
  });

  it('lists everything', async () => {
    const hashes = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(async (text) => (await files.put(Buffer.from(text), LIMIT)).hash),
    );
    const listed = await listAll(files);
    expect(listed.map((file) => file.hash).toSorted()).toEqual(hashes.toSorted());
    expect(
      listed.every((file) => file.size === 1 && Math.abs(Date.now() - file.storedAt.getTime()) < 60_000),
    ).toBe(true);
  });

  it('removes', async () => {
    const { hash } = await files.put(Buffer.from('x'), LIMIT);
    expect(await files.remove(hash)).toBe(true);
    expect([await files.has(hash), await files.open(hash), await files.remove(hash)]).toEqual([
      false,
      undefined,
      true,
    ]);
  });

  it('does not remove what was put since', async () => {
    const { hash } = await files.put(Buffer.from('x'), LIMIT);
    age(root, hash, 48 * HOUR_MS);
    await files.put(Buffer.from('x'), LIMIT);
    expect(await files.remove(hash, { storedBefore: new Date(Date.now() - 24 * HOUR_MS) })).toBe(false);
    age(root, hash, 48 * HOUR_MS);
    await files.put(Readable.from([Buffer.from('x')]), LIMIT);
    expect(await files.remove(hash, { storedBefore: new Date(Date.now() - 24 * HOUR_MS) })).toBe(false);
    age(root, hash, 48 * HOUR_MS);
    expect(await files.remove(hash, { storedBefore: new Date(Date.now() - 24 * HOUR_MS) })).toBe(true);
  });

  it.each([
    '',
    '..',
    '../../etc/passwd',
    'a'.repeat(63),
    `${'a'.repeat(64)}/`,
    'A'.repeat(64),
    `../${'a'.repeat(61)}`,
    '%2e%2e',
  ])('has nothing under %j, and looks nowhere', async (hash) => {
    bucket.requests.length = 0;
    expect([await files.has(hash), await files.open(hash), await files.remove(hash)]).toEqual([
      false,
      undefined,
      true,
    ]);
    expect(bucket.requests).toEqual([]);
  });
});

describe('a folder', () => {
  it('keeps files for its own account only, by their hash', async () => {
    const root = aFolder();
    const files = await openFiles(root);
    const { hash } = await files.put(Buffer.from('secret'), LIMIT);
    const path = join(root, keyOf(hash));
    expect(readFileSync(path, 'utf8')).toBe('secret');
    const modes = [path, join(path, '..'), join(path, '../..'), join(root, 'tmp'), root].map(
      (each) => statSync(each).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o700, 0o700, 0o700, 0o700]);
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  });

  it('mends a file that the disk has cut short', async () => {
    const root = aFolder();
    const files = await openFiles(root);
    const { hash } = await files.put(Buffer.from('whole'), LIMIT);
    writeFileSync(join(root, keyOf(hash)), 'who');
    await files.put(Buffer.from('whole'), LIMIT);
    expect(await read(files, hash)).toMatchObject({ text: 'whole' });
  });

  it('clears away what a crash left, but nothing young, and lists nothing foreign', async () => {
    const root = aFolder();
    mkdirSync(join(root, 'tmp'), { recursive: true });
    mkdirSync(join(root, 'ab', 'cd'), { recursive: true });
    for (const name of ['tmp/old', 'tmp/young', 'ab/cd/note.txt', 'ab/file', 'README'])
      writeFileSync(join(root, name), 'x');
    const yesterday = new Date(Date.now() - 25 * HOUR_MS);
    utimesSync(join(root, 'tmp/old'), yesterday, yesterday);
    const files = await openFiles(root);
    expect(readdirSync(join(root, 'tmp'))).toEqual(['young']);
    expect(await listAll(files)).toEqual([]);
  });

  it('says what is wrong with it', async () => {
    const root = aFolder();
    mkdirSync(join(root, '..'), { recursive: true });
    writeFileSync(root, 'a file');
    await expect(openFiles(root)).rejects.toThrow(`OCTAVO_FILES: ${root} is a file, or below a file.`);
  });
});

describe('a bucket', () => {
  it('is addressed below its prefix, and by its content once only', async () => {
    const files = await openFiles(aBucket('/a/'));
    const { hash } = await files.put(Buffer.from('x'), LIMIT);
    await files.put(Buffer.from('x'), LIMIT);
    expect([...bucket.objects.keys()]).toEqual([`a/${keyOf(hash)}`]);
    expect(bucket.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
    await files.close();
    const whole = await openFiles(aBucket(''));
    expect(await listAll(whole)).toMatchObject([{ hash, size: 1 }]);
    await whole.close();
  });

  it('is asked again when it is busy, and given up in the end', async () => {
    const files = await openFiles(aBucket());
    bucket.failures.push(503, 500);
    const { hash } = await files.put(Buffer.from('x'), LIMIT);
    expect(await files.has(hash)).toBe(true);
    bucket.failures.push(503, 503, 503, 503, 503);
    await expect(files.open(hash)).rejects.toMatchObject({ reason: 'unavailable' });
    await files.close();
  });

  it.each([
    ['fails', [500]],
    ['is busy several times', [503, 429, 500]],
    ['hangs up', [HANG_UP]],
    ['hangs up within its answer', [CUT_SHORT, CUT_SHORT]],
    ['fails, and hangs up within that answer', [FAIL_CUT_SHORT]],
  ])('that %s at the start is asked again', async (_what, given) => {
    bucket.failures.push(...given);
    const files = await openFiles(aBucket());
    expect(bucket.requests).toHaveLength(given.length + 1);
    await files.close();
  });

  it('leaves nothing on the disk', async () => {
    const before = new Set(readdirSync(tmpdir()).filter((name) => name.startsWith('octavo-files-')));
    const files = await openFiles(aBucket());
    await files.put(Readable.from([Buffer.from('x')]), LIMIT);
    const staging = readdirSync(tmpdir()).find(
      (name) => name.startsWith('octavo-files-') && !before.has(name),
    );
    expect(readdirSync(join(tmpdir(), String(staging)))).toEqual([]);
    await files.close();
    expect(existsSync(join(tmpdir(), String(staging)))).toBe(false);
  });

  it.each([
    [
      'a wrong secret',
      () => aBucket().replace('wJal', 'xJal'),
      'returned 403 SignatureDoesNotMatch. Check bucket, region',
    ],
    ['no such bucket', () => aBucket().replace('@bucket', '@other-bucket'), 'returned 404 NoSuchBucket'],
    [
      'nobody there',
      () => aBucket().replace(bucket.endpoint, 'http://127.0.0.1:1'),
      'The bucket bucket at http://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Check endpoint and region in OCTAVO_FILES.',
    ],
    [
      'a host that does not exist',
      () => aBucket().replace(bucket.endpoint, 'http://nowhere.invalid'),
      'The bucket bucket at http://nowhere.invalid cannot be reached: getaddrinfo',
    ],
    ['no credentials', () => 's3://bucket', 'needs credentials'],
    ['a misspelt parameter', () => aBucket('', '&reigon=x'), '"reigon" is not one of'],
    ['an endpoint of another kind', () => aBucket().replace('http://', 'ftp://'), 'endpoint must be'],
    ['a strange prefix', () => aBucket('/a b'), 'the prefix may contain'],
    ['a strange style', () => aBucket('', '&style=x'), 'style must be'],
    ['no bucket', () => 's3://', 'the name of a bucket'],
    ['a secret that is not encoded', () => `s3://k:a/b@bucket`, 'percent-encode the secret'],
  ])('says what is wrong: %s', async (_what, target, message) => {
    const error = await openFiles(target()).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ name: 'FilesError' });
    expect(error?.message).toContain(message);
    expect(error?.message).not.toContain(SECRET);
  });
});
