import { GitBookAPI } from '@gitbook/api';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../app.ts';
import { performImports } from '../import-runs.ts';
import { startImporting, zipOf, type Importing } from '../importing.ts';
import { aPage, respond } from '../site.ts';
import { callWithClient, type ClientCall } from './client.ts';

let importing: Importing;
let api: GitBookAPI;
let endpoint: string;
let organizationId: string;

const navigation = ['Start|/docs/', 'Install|/docs/install', 'Usage|/docs/usage'];

beforeAll(async () => {
  importing = await startImporting({
    '/docs/': aPage('Start', '<a href="install">Install</a>', navigation),
    '/docs/install': aPage('Install', '', navigation),
    '/docs/usage': aPage('Usage', '', navigation),
    '/page.md': respond(200, { 'content-type': 'text/markdown' }, '# Page\n\nText of the page.\n'),
    '/pages.zip': zipOf({ 'README.md': '# Zipped\n', 'more.md': '# More\n' }),
  });
  endpoint = await importing.app.app.server.listen({ port: 0, host: '127.0.0.1' });
  ({ organizationId } = importing.side);
  api = new GitBookAPI({ endpoint, authToken: importing.side.admin.token });
});

/** The data of the response, which the client has read. */
async function call(
  operationId: string,
  params: Readonly<Record<string, string>>,
  more: Omit<ClientCall, 'params'> = {},
): Promise<Answer['body']> {
  const { data } = await callWithClient(api, operationId, { params, ...more });
  return data;
}

const from = (path: string, source: string) => ({ url: importing.site.url + path, source });
const website = () => from('/docs/', 'website');

async function aSpace(): Promise<string> {
  return (await importing.contents.aSpace()).split('/').at(-1) ?? '';
}

const titleAt = async (spaceId: string, pagePath: string): Promise<string> =>
  (await call('getPageByPath', { spaceId, pagePath })).title;

/** The client has no other operations that write pages, besides Git synchronisation. */
describe('the public client writes pages', () => {
  test('with importContent', async () => {
    const spaceId = await aSpace();
    const { status, headers, data } = await callWithClient(api, 'importContent', {
      params: { spaceId },
      body: website(),
    });
    const { revision } = data as { revision: string };
    expect(status).toBe(201);
    expect(data).toMatchObject({ importedResources: 3, totalResources: 3 });
    expect(headers.get('location')).toContain(`/v1/spaces/${spaceId}/revisions/${revision}`);
    const current = await call('getCurrentRevision', { spaceId });
    expect(current.id).toBe(revision);
    expect(current.pages).toMatchObject([{ title: 'Start' }, { title: 'Install' }, { title: 'Usage' }]);
    const params = { spaceId, pagePath: 'install' };
    expect(await call('getPageByPath', params, { query: { format: 'markdown' } })).toMatchObject({
      title: 'Install',
      markdown: expect.stringContaining('Text of Install.'),
    });
  });

  test('with importContentInPageById', async () => {
    const spaceId = await aSpace();
    await call('importContent', { spaceId }, { body: from('/page.md', 'markdown') });
    const { id: pageId } = await call('getPageByPath', { spaceId, pagePath: 'page' });
    const imported = await call(
      'importContentInPageById',
      { spaceId, pageId },
      { body: from('/pages.zip', 'zip') },
    );
    expect(imported).toMatchObject({ importedResources: 2, totalResources: 2 });
    expect(await titleAt(spaceId, 'page%2Fmore')).toBe('More');
  });

  test('with importContentInChangeRequest and importContentInChangeRequestPageById', async () => {
    const spaceId = await aSpace();
    const before = await call('getCurrentRevision', { spaceId });
    const { id: changeRequestId } = await call(
      'createChangeRequest',
      { spaceId },
      { body: { subject: 'Import' } },
    );
    const inRequest = { spaceId, changeRequestId };
    const imported = await call('importContentInChangeRequest', inRequest, { body: website() });
    expect(imported).toMatchObject({ importedResources: 3 });
    const pageAt = (pagePath: string) => call('getPageInChangeRequestByPath', { ...inRequest, pagePath });
    const { id: pageId } = await pageAt('install');
    const below = { ...inRequest, pageId };
    expect(await call('importContentInChangeRequestPageById', below, { body: website() })).toMatchObject({
      importedResources: 3,
    });
    expect(await pageAt('install%2Fusage')).toMatchObject({ title: 'Usage' });
    expect((await call('getCurrentRevision', { spaceId })).id).toBe(before.id);
    await call('mergeChangeRequest', inRequest);
    expect(await titleAt(spaceId, 'install%2Fusage')).toBe('Usage');
  });

  test('with startImportRun, from a website and from uploaded files', async () => {
    const spaceId = await aSpace();
    const start = (source: object, target: object = {}) =>
      call('startImportRun', { organizationId }, { body: { source, target: { space: spaceId, ...target } } });
    const run = await start({ type: 'website', url: website().url });
    expect(run).toMatchObject({ status: 'pending' });
    await performImports(importing.app);
    expect(await titleAt(spaceId, 'usage')).toBe('Usage');

    const bytes = Buffer.from('# Uploaded\n\nText.\n');
    const upload = await call(
      'generateStorageUploadURL',
      { organizationId },
      {
        body: {
          file: { name: 'uploaded.md', type: 'text/markdown', size: bytes.length },
          kind: 'import_file',
        },
      },
    );
    const sent = await fetch(endpoint + new URL(upload.url).pathname, { method: 'PUT', body: bytes });
    expect(sent.ok).toBe(true);
    const { id: page } = await call('getPageByPath', { spaceId, pagePath: 'usage' });
    await start({ type: 'file', files: [upload.key] }, { page });
    await performImports(importing.app);
    expect(await titleAt(spaceId, 'usage%2Fuploaded')).toBe('Uploaded');
  });

  test('unless cancelImportRun cancels the run', async () => {
    const spaceId = await aSpace();
    const source = { type: 'website', url: website().url };
    const body = { source, target: { space: spaceId } };
    const { id: importRunId } = await call('startImportRun', { organizationId }, { body });
    const run = { organizationId, importRunId };
    expect(await call('cancelImportRun', run)).toMatchObject({ id: importRunId, status: 'cancelled' });
    await performImports(importing.app);
    expect((await call('getCurrentRevision', { spaceId })).pages).toEqual([]);
    await expect(call('cancelImportRun', run)).rejects.toMatchObject({ code: 409 });
  });
});
