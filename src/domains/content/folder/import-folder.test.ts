import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { contentsOf, type Contents } from '../../../../test/content.ts';
import { importInto } from '../../../../test/folder.ts';
import { aSide } from '../../../../test/world.ts';
import type { Files } from '../../../platform/files/index.ts';
import { importFolder } from './import-folder.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
});

async function importEntries(
  space: string,
  folder: ReadonlyMap<string, () => Promise<string | Buffer>>,
  files?: Files,
) {
  const { installation, context } = app.app;
  const ctx = { ...context, db: installation.connection.db, files: files ?? installation.files };
  const entries = Array.from(folder, ([path, read]) => ({
    path,
    size: 10,
    read: async () => Buffer.from(await read()),
  }));
  return importFolder(ctx, { spaceId: space.split('/').at(-1) ?? '' }, undefined, entries);
}

test('no transaction is open while files are read, however long that takes', async () => {
  const space = await contents.aSpace();
  const open: number[] = [];
  const reading = (text: string) => async () => {
    const [row] = await app.sql(`select count(*)::int as open from pg_stat_activity
      where datname = current_database() and application_name = 'octavo' and state like 'idle in transaction%'`);
    open.push(Number(row?.['open']));
    return text;
  };
  const paths = ['a.png', 'b.png', 'README.md', 'c.md'];
  const folder = new Map(paths.map((path) => [path, reading(`${path} text`)]));
  expect((await importEntries(space, folder)).pages).toBe(2);
  expect(open).toEqual(paths.map(() => 0));
});

test('files are stored several at once', async () => {
  const space = await contents.aSpace();
  const { files } = app.app.installation;
  let [storing, most] = [0, 0];
  const put: Files['put'] = async (...args) => {
    most = Math.max(most, ++storing);
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    const stored = await files.put(...args);
    storing--;
    return stored;
  };
  const folder = new Map([['README.md', async () => '# Home\n']]);
  for (let n = 0; n < 20; n++) folder.set(`${n}.txt`, async () => `File ${n}`);
  await importEntries(space, folder, { ...files, put });
  expect(most).toBeGreaterThan(1);
});

test('a folder is imported with warnings about files that are not what they seem', async () => {
  const space = await contents.aSpace();
  const { pages, warnings } = await importInto(app, space, {
    'README.md': '# Home\n',
    'binary.md': Buffer.from([0xff, 0xfe, 0, 1]),
    'large.md': `# Large\n${'a'.repeat(8 * 1024 * 1024)}`,
    'big.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  });
  expect(pages).toBe(1);
  expect(new Map(warnings.map(({ path, message }) => [path, message]))).toEqual(
    new Map([
      ['large.md', 'Larger than 8 MB: imported as a file, not as a page'],
      ['big.bin', 'Git LFS pointer: the pointer is imported, not the file that it names'],
      ['binary.md', 'Not UTF-8: imported as a file'],
    ]),
  );
});

test.each([
  ['bytes', '* '.repeat(2.2e6), /^SUMMARY\.md is larger than 4 MB/],
  ['entries', '* a\n'.repeat(160_001), /^SUMMARY\.md has more than 160000 entries/],
])('a SUMMARY.md of too many %s is refused', async (_what, summary, message) => {
  const space = await contents.aSpace();
  const folder = { 'README.md': '# Home\n', 'SUMMARY.md': summary };
  await expect(importInto(app, space, folder)).rejects.toThrow(message);
});
