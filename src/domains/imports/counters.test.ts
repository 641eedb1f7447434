import { beforeAll, expect, test } from 'vitest';
import { performImports } from '../../../test/import-runs.ts';
import { startImporting, zipOf, type Importing } from '../../../test/importing.ts';
import { respond } from '../../../test/site.ts';

let importing: Importing;
beforeAll(async () => {
  importing = await startImporting(
    {
      '/page.md': respond(200, { 'content-type': 'text/markdown' }, '# Page\n\nText.\n'),
      '/pages.zip': zipOf({ 'a.md': '# A\n', 'b.md': '# B\n' }),
    },
    { environment: { HOST: '127.0.0.1', OCTAVO_URL: 'http://localhost:3000' } },
  );
});

/** The lines of `/metrics` about imports. */
async function metrics(): Promise<string[]> {
  const { text } = await importing.app.call('GET', '/metrics');
  return text.split('\n').filter((line) => line.startsWith('octavo_import'));
}

test('imports are counted by source and outcome, and their pages', async () => {
  const { app, contents, side, site, importInto } = importing;
  const space = await contents.aSpace();
  const content = `${space}/content`;
  const spaceId = space.split('/').at(-1);
  await importInto(content, 'zip', '/pages.zip');
  await importInto(content, 'markdown', '/page.md');
  await importInto(content, 'markdown', '/missing.md');
  const runs = `/v1/org/${side.organizationId}/imports`;
  for (const path of ['/pages.zip', '/missing.zip']) {
    const source = { type: 'url', url: site.url + path, source: 'zip' };
    await contents.call('POST', runs, { source, target: { space: spaceId } });
    await performImports(app);
  }
  expect((await metrics()).toSorted()).toEqual([
    'octavo_import_pages_total 5',
    'octavo_imports_total{source="markdown",outcome="completed"} 1',
    'octavo_imports_total{source="markdown",outcome="failed"} 1',
    'octavo_imports_total{source="zip",outcome="completed"} 2',
    'octavo_imports_total{source="zip",outcome="failed"} 1',
  ]);
});
