import { GitBookAPI } from '@gitbook/api';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { callWithClient, type ClientCall } from '../../../test/conformance/client.ts';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, idIn } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** The calls of a program that renders sites, in its order, by the unmodified public client, without a token of a user. */

let app: TestApp;
let side: Side;
let endpoint: string;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  endpoint = await app.app.server.listen({ port: 0, host: '127.0.0.1' });
});

async function aSite(visibility: string, isAdaptive: boolean) {
  const site = await aPublishedSite(app, side, { title: `Rendered ${visibility}`, visibility });
  if (isAdaptive) await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  const { space, siteSpace } = await site.addSpace('Manual');
  const video = '{% embed url="https://youtu.be/abc123" %}';
  const { changes } = await site.contents.edit(
    space,
    insert('Welcome', `Hello.\n\n${video}`),
    insert('Setup', 'Install **it**.\n\n```js\nrun();\n```\n\n{% hint style="info" %}\nNote.\n{% endhint %}'),
    insert('Staff', 'secret', { condition: 'visitor.claims.unsigned.staff' }),
  );
  await site.change('POST', `${site.site}/redirects`, {
    source: '/old',
    destination: { kind: 'site-page', siteSpaceId: siteSpace, pageId: changes[1].page.id },
  });
  const link =
    visibility === 'share-link' &&
    (await site.change('POST', `${site.site}/share-links`, { name: 'Partners' }));
  const url: string = link ? link.urls.published : `http://octavo.test/${site.basename}/`;
  return { url, space: idIn(space) };
}

const flat = (pages: readonly Answer['body'][]): Answer['body'][] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** A node of document JSON and those below it. */
const nodesIn = (node: Answer['body']): Answer['body'][] => [node, ...(node.nodes ?? []).flatMap(nodesIn)];

const RESOLVING = { unsignedClaims: {}, type: 'human' };

/** Calls an operation by its method of the client. */
type Call = (
  operationId: string,
  call: ClientCall,
) => Promise<{ readonly data: Answer['body']; readonly headers: Headers }>;

const clientWith = (authToken?: string): Call => {
  const api = new GitBookAPI({ endpoint, ...(authToken && { authToken }) });
  return (operationId, call) => callWithClient(api, operationId, call);
};

/** Resolves a URL, and opens a client with the token for its content. */
async function resolved(url: string, unsignedClaims: object = {}) {
  const visitor = { ...RESOLVING, unsignedClaims };
  const body = { url, visitor, redirectOnError: false };
  const { data } = await clientWith()('resolvePublishedContentByUrl', { body });
  expect(decodeJwt(data.apiToken)).toMatchObject({
    kind: 'site',
    site: data.site,
    siteSpace: data.siteSpace,
    space: data.space,
    spaces: [data.space],
    organization: data.organization,
  });
  expect(decodeJwt(data.apiToken).exp).toBeGreaterThan(Date.now() / 1000 + 120);
  return {
    data,
    call: clientWith(data.apiToken),
    ofSite: { organizationId: data.organization, siteId: data.site },
    query: data.shareKey === undefined ? {} : { shareKey: data.shareKey },
  };
}

const CASES = [
  { name: 'a public site', visibility: 'public', isAdaptive: false },
  { name: 'a site with share links', visibility: 'share-link', isAdaptive: false },
  { name: 'an adaptive site', visibility: 'public', isAdaptive: true },
];

describe.each(CASES)('a renderer shows $name', ({ visibility, isAdaptive }) => {
  let url: string;
  let spaceId: string;
  let view: Awaited<ReturnType<typeof resolved>>;

  beforeAll(async () => {
    ({ url, space: spaceId } = await aSite(visibility, isAdaptive));
    view = await resolved(url.replace(/\/$/, ''));
  });

  /** Requests the published revision with metadata, as the renderer does. */
  async function revisionOf({ call, query }: typeof view) {
    const { data: space } = await call('getSpaceById', { params: { spaceId }, query });
    const params = { spaceId, revisionId: space.revision };
    return call('getRevisionById', { params, query: { metadata: true } });
  }

  test('a page view', async () => {
    const { call, data, ofSite, query } = view;
    expect(data).toMatchObject({ space: spaceId, pathname: '/', complete: true });
    expect(data.siteBasePath).toBe(new URL(url).pathname);
    const { data: site } = await call('getPublishedContentSite', { params: ofSite, query });
    expect(url).toContain(site.site.urls.published);
    expect(site.structure.structure).toMatchObject([{ id: data.siteSpace, space: { id: spaceId } }]);
    requireSettings(site.customizations.site);
    for (const each of Object.values<object>(site.customizations.siteSpaces)) requireSettings(each);
    const { data: revision } = await revisionOf(view);
    expect(revision).toMatchObject({ files: [], urls: { app: expect.any(String) }, tags: [] });
    const pages = flat(revision.pages);
    expect(pages.map(({ title }) => title)).toEqual(['Welcome', 'Setup']);
    for (const page of pages) {
      expect(page).toMatchObject({ type: 'document', path: expect.any(String), tags: [], pages: [] });
      expect(page.layout.tags).toBe(true);
      const params = { spaceId, revisionId: revision.id, pageId: page.id };
      // Unknown to this version of the client.
      const path = `/v1/spaces/${spaceId}/revisions/${revision.id}/page/${page.id}/meta-links`;
      expect((await app.call('GET', path, { token: data.apiToken })).body).toEqual({});
      const { data: document } = await call('getPageDocumentInRevisionById', {
        params,
        query: { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' },
      });
      const nodes = nodesIn(document).filter(({ object }) => object === 'block' || object === 'inline');
      expect(nodes.length).toBeGreaterThan(0);
      for (const node of nodes) expect(node.key, JSON.stringify(node)).toEqual(expect.any(String));
    }
  });

  test('what readers ask for', async () => {
    const { call, ofSite } = view;
    const { data: revision } = await revisionOf(view);
    const ofRevision = { spaceId, revisionId: revision.id };
    const embedded = { params: { spaceId }, query: { url: 'https://youtu.be/abc123' } };
    expect((await call('getEmbedByUrlInSpace', embedded)).data.type).toBe('rich');
    const byPath = { params: { ...ofRevision, pagePath: 'setup' } };
    const { data: setup } = await call('getPageInRevisionByPath', byPath);
    expect(setup.title).toBe('Setup');
    const params = { ...ofRevision, pageId: setup.id };
    const { data: page } = await call('getPageInRevisionById', { params, query: { format: 'markdown' } });
    expect(page.markdown).toContain('Install **it**.');
    const redirected = { params: ofSite, query: { source: '/old' } };
    expect((await call('getSiteRedirectBySource', redirected)).data.target).toMatch(/\/setup$/);
    const scope = { mode: 'default', currentSiteSpace: view.data.siteSpace, restrictTo: 'currentSiteSpace' };
    const search = { params: ofSite, body: { query: 'install', scope } };
    const { data: found } = await call('searchSiteContent', search);
    const score = expect.any(Number);
    const sections = [{ score }];
    const pages = [{ title: 'Setup', description: '', ancestors: [], rank: 1, score, sections }];
    expect(found.items).toMatchObject([{ type: 'space', id: spaceId, score, pages }]);
    const others = { ...scope, restrictTo: 'otherSiteSpaces' };
    const elsewhere = { params: ofSite, body: { query: 'install', scope: others } };
    expect((await call('searchSiteContent', elsewhere)).data.items).toEqual([]);
  });

  test('with answers that name what they depend on, and how long they may be kept', async () => {
    const { headers } = await revisionOf(view);
    const tags = [`site:${view.data.site}`, `space:${spaceId}`];
    expect(headers.get('x-gitbook-cache-tag')?.split(',')).toEqual(tags);
    expect(headers.get('x-gitbook-cache-control')).toMatch(/^private, max-age=\d+$/);
  });

  test('without pages that are hidden from the visitor', async () => {
    const staff = await resolved(url, { staff: true });
    const titles = flat((await revisionOf(staff)).data.pages).map(({ title }) => title);
    expect(titles.includes('Staff')).toBe(isAdaptive);
    expect(staff.data.contextId !== view.data.contextId).toBe(isAdaptive);
    const { data: revision } = await revisionOf(view);
    const params = { spaceId, revisionId: revision.id, pagePath: 'staff' };
    await expect(view.call('getPageInRevisionByPath', { params })).rejects.toMatchObject({ code: 404 });
    await expect(view.call('listCommentsInSpace', { params: { spaceId } })).rejects.toMatchObject({
      code: 403,
    });
  });
});

/** Fails if a setting is missing without which pages cannot be rendered. */
function requireSettings(settings: object): void {
  const theme = { light: expect.any(String), dark: expect.any(String) };
  const color = { light: expect.any(String), dark: expect.any(String) };
  expect(settings).toMatchObject({
    styling: {
      primaryColor: color,
      warningColor: color,
      dangerColor: color,
      successColor: color,
      font: expect.anything(),
      codeTheme: { default: theme, openapi: theme },
    },
    internationalization: { locale: 'en' },
    favicon: {},
    header: { links: [] },
    footer: { groups: [] },
    themes: { default: expect.any(String) },
    feedback: { enabled: expect.any(Boolean) },
    ai: { mode: expect.any(String) },
    externalLinks: { target: expect.any(String) },
    pagination: { enabled: expect.any(Boolean) },
    pageActions: { items: expect.any(Array) },
    trademark: { enabled: expect.any(Boolean) },
    privacyPolicy: {},
    socialAccounts: expect.any(Array),
  });
}
