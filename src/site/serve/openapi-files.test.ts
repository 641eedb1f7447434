import { expect, test } from 'vitest';
import { startImporting, zipOf } from '../../../test/importing.ts';
import { aPublishedSite } from '../../../test/published-site.ts';

const YAML = `openapi: 3.0.0
info: {title: Pets, version: "1"}
paths:
  /pets/{id}:
    get: {summary: Get a pet of the folder}
`;

test('a page of an imported folder shows a file of it', async () => {
  const block =
    '{% openapi src=".gitbook/assets/openapi.yaml" path="/pets/{id}" method="get" %}\n[openapi.yaml](.gitbook/assets/openapi.yaml)\n{% endopenapi %}';
  const folder = { 'README.md': `# Start\n\n${block}\n`, '.gitbook/assets/openapi.yaml': YAML };
  const { app, side, importInto } = await startImporting({ '/book.zip': zipOf(folder) });
  const site = await aPublishedSite(app, side);
  const { space } = await site.addSpace('API');
  expect((await importInto(`${space}/content`, 'zip', '/book.zip')).status).toBeLessThan(300);
  const { text } = await site.read('/');
  expect(text).toContain('Get a pet of the folder');
  expect((await site.read('/readme.md')).text).toContain('Get a pet of the folder');
});
