import { expect, test } from 'vitest';
import { read } from '../../../../test/import-export.ts';
import type { WrittenFile } from '../../../content-engine/folder/index.ts';
import type { Load } from '../../../content-engine/map/index.ts';
import type { Repository } from '../../../platform/git/index.ts';
import { bodiesOf } from '../../content/index.ts';
import { OperationLog } from '../operations/operation-log.ts';
import { planExport, type ExportSources } from './plan-export.ts';

const sources = (): ExportSources => ({
  isPartial: false,
  repository: { blobId: (bytes: Uint8Array) => `id${bytes.length}` } as Repository,
  directory: 'docs',
  present: [],
  common: undefined,
  earlier: [],
  readFile: () => Promise.resolve(Buffer.from('')),
  log: new OperationLog(),
});

test('a change can be written before the next file is read', async () => {
  let read = 0;
  async function* written(): AsyncGenerator<WrittenFile, void, undefined> {
    for (; read < 3; read++) yield await Promise.resolve({ path: `p${read}.md`, text: 'a'.repeat(read) });
  }
  const { changes, files } = planExport(written(), sources());
  const order: string[] = [];
  for await (const { path } of changes) order.push(`${path} ${read}`);
  expect(order).toEqual(['docs/p0.md 0', 'docs/p1.md 1', 'docs/p2.md 2']);
  expect([...files]).toEqual([
    ['p0.md', 'id0'],
    ['p1.md', 'id1'],
    ['p2.md', 'id2'],
  ]);
});

test('changed bodies are written without the other files', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `p${index}.md`);
  const { tree, texts } = read({
    ...Object.fromEntries(names.map((name) => [name, `---\ndescription: A\n---\n\n# ${name}\n\nText.\n`])),
    'README.md': '# Start\n',
    'SUMMARY.md': `* [Start](README.md)\n${names.map((name) => `* [${name}](${name})\n`).join('')}`,
  });
  const load: Load = (hashes) => Promise.resolve(hashes.map((hash) => Buffer.from(texts.get(hash) ?? '')));
  const ids = names.flatMap((name) => tree.sources.get(name) ?? []);
  const bodies = await bodiesOf({ load, tree, isFront: false }, ids);
  if (!bodies) throw new Error('no SUMMARY.md');
  const paths: string[] = [];
  for await (const { path } of planExport(bodies.files, sources()).changes) paths.push(path);
  expect(paths).toEqual(names.map((name) => `docs/${name}`));
});
