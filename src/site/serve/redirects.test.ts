import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, idIn, locationOf, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { importFolder } from '../../domains/content/index.ts';
import { setDisabled } from '../../domains/users/index.ts';

/** Redirects of sites and of `.gitbook.yaml`, and previews of what is not published. */

let app: TestApp;
let side: Side;
let site: PublishedSite;
let added: { space: string; siteSpace: string };
let ids: string[];

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  site = await aPublishedSite(app, side, { title: 'Redirecting' });
  added = await site.addSpace('Manual');
  ids = idsOf(
    await site.contents.edit(
      added.space,
      insert('Welcome', 'Hello.'),
      insert('Setup', 'Steps.'),
      insert('Secret', 'Hidden.', { condition: 'false' }),
    ),
  );
});

test('a redirect of the site leads to its page, wherever that is', async () => {
  const redirect = (source: string, page: string | undefined) =>
    site.change('POST', `${site.site}/redirects`, {
      source,
      destination: { kind: 'site-page', siteSpaceId: added.siteSpace, pageId: page },
    });
  await redirect('/old/place', ids[1]);
  await redirect('/setup', ids[0]);
  await redirect('/to-secret', ids[2]);
  const answer = await site.read('/Old/Place?x=1');
  expect([answer.status, locationOf(answer)]).toEqual([301, `/${site.basename}/setup?x=1`]);
  // A page comes before a redirect with its path.
  expect((await site.read('/setup')).status).toBe(200);
  expect((await site.read('/to-secret')).status).toBe(404);
  await site.contents.edit(added.space, { operation: 'update_page', page: ids[1], slug: 'install' });
  expect(locationOf(await site.read('/old/place'))).toBe(`/${site.basename}/install`);
  // Its address is free now, so that the redirect applies.
  expect(locationOf(await site.read('/setup'))).toBe(`/${site.basename}/`);
});

test('redirects of .gitbook.yaml apply where there is no page', async () => {
  const { space } = await site.addSpace('Imported');
  const files = {
    '.gitbook.yaml': 'redirects:\n  old/guide: guide/install.md\n  /help/: README.md\n  bad: [1]\n',
    'README.md': '# Start\n',
    'guide/install.md': '# Install\n',
  };
  const { db } = app.app.installation.connection;
  await importFolder(
    { ...app.app.context, db },
    { spaceId: idIn(space) },
    undefined,
    Object.entries(files).map(([path, text]) => ({
      path,
      size: text.length,
      read: async () => Buffer.from(text),
    })),
  );
  await expect
    .poll(async () => locationOf(await site.read('/imported/old/guide')))
    .toBe(`/${site.basename}/imported/guide/install`);
  expect(locationOf(await site.read('/imported/help'))).toBe(`/${site.basename}/imported/`);
  expect((await site.read('/imported/bad')).status).toBe(404);
});

test('members preview a site, a change request and a revision; others do not', async () => {
  const draft = await site.change('POST', `${added.space}/change-requests`, { subject: 'Better' });
  const request = `${added.space}/change-requests/${draft.id}`;
  const changed = await site.contents.call('POST', `${request}/content`, {
    changes: [{ operation: 'update_page', page: ids[0], document: { markdown: 'Proposed words.' } }],
  });
  expect(changed.status, changed.text).toBe(200);
  const path = `/~/changes/${draft.number}/`;
  expect((await site.read(path)).status).toBe(404);
  const { url } = await site.change('GET', `${site.site}/publishing/preview`);
  const token = new URL(url).searchParams.get('preview_token') ?? '';
  const entered = await site.read(`${path}?preview_token=${token}`);
  expect([entered.status, locationOf(entered)]).toEqual([302, `/${site.basename}${path}`]);
  const cookie = String(entered.headers['set-cookie']).split(';', 1)[0] ?? '';
  const preview = await site.read(path, { cookie });
  expect(preview.text).toContain('Proposed words.');
  expect(preview.text).toContain(`href="/${site.basename}/~/changes/${draft.number}/install"`);
  expect(preview.headers['cache-control']).toBe('private, no-cache');
  expect(preview.headers['x-robots-tag']).toBe('noindex');
  expect((await site.read(`${path}install`, { cookie })).status).toBe(200);
  expect((await site.read('/~/changes/999/', { cookie })).status).toBe(404);
  expect((await site.read('/')).text).not.toContain('Proposed words.');
  const revision = await site.contents.get(`${added.space}/content`);
  expect((await site.read(`/~/revisions/${revision.id}/`, { cookie })).text).toContain('Hello.');
  // The preview is shown while the site is not published, too, until the member loses access.
  await site.change('POST', `${site.site}/unpublish`);
  expect((await site.read('/', { cookie })).status).toBe(200);
  expect((await site.read('/')).status).toBe(404);
  const rated = await app.app.server.inject({
    method: 'POST',
    url: `/${site.basename}/~octavo/feedback`,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `space=${added.siteSpace}&page=${ids[0]}&rating=good`,
  });
  expect([rated.statusCode, rated.body.includes('Manual')]).toEqual([404, false]);
  const forged = `octavo-preview=${token.slice(0, -2)}xx`;
  expect((await site.read('/', { cookie: forged })).status).toBe(404);
  await site.change('POST', `${site.site}/publish`);
  const left = await site.read('/~octavo/leave-preview', { cookie });
  expect([left.status, locationOf(left)]).toEqual([302, `/${site.basename}/`]);
  expect(String(left.headers['set-cookie'])).toContain('Max-Age=0');
});

test('a preview ends with the access of its member', async () => {
  const reader = side.people.read;
  const { space } = await site.addSpace('Members only');
  await site.contents.edit(space, insert('Inside', 'For members.'));
  const grant = { userId: reader.id, role: 'read' };
  await app.sql(
    `insert into grants (id, organization_id, site_id, user_id, role) values ('preview-grant', $1, $2, $3, 'read')`,
    [side.organizationId, site.id, grant.userId],
  );
  const answer = await app.call('GET', `${site.site}/publishing/preview`, { token: reader.token });
  expect(answer.status, answer.text).toBe(200);
  const token = new URL(answer.body.url).searchParams.get('preview_token') ?? '';
  const cookie = `octavo-preview=${token}`;
  expect((await site.read('/members-only/', { cookie })).text).toContain('For members.');
  await site.change('POST', `${site.site}/unpublish`);
  expect((await site.read('/members-only/', { cookie })).status).toBe(200);
  await app.sql(`delete from grants where id = 'preview-grant'`);
  expect((await site.read('/members-only/', { cookie })).status).toBe(404);
  // They are a reader like any other: the cookie, which lasts for an hour, does not close a public site to them.
  await site.change('POST', `${site.site}/publish`);
  const read = await site.read('/members-only/', { cookie });
  expect([read.status, read.text.includes('For members.'), read.text.includes('leave-preview')]).toEqual([
    200,
    true,
    false,
  ]);
});

test('a preview needs the right to read spaces, and ends with its token and the account', async () => {
  const tokenWith = async (scopes: readonly string[]) =>
    (await site.change('POST', '/v1/user/tokens', { label: 'Preview', scopes })) as {
      id: string;
      token: string;
    };
  const preview = (token: string) => app.call('GET', `${site.site}/publishing/preview`, { token });
  expect((await preview((await tokenWith(['site:read'])).token)).status).toBe(403);
  expect((await preview((await tokenWith(['space:read'])).token)).status).toBe(403);
  const { id, token } = await tokenWith(['site:read', 'space:read']);
  const answer = await preview(token);
  const cookie = `octavo-preview=${new URL(answer.body.url).searchParams.get('preview_token')}`;
  const isPreview = async () => (await site.read('/', { cookie })).text.includes('leave-preview');
  expect(await isPreview()).toBe(true);
  const { db } = app.app.installation.connection;
  const userId = side.people.admin.id;
  await setDisabled(db, userId, true);
  expect(await isPreview()).toBe(false);
  await setDisabled(db, userId, false);
  expect(await isPreview()).toBe(true);
  await site.change('DELETE', `/v1/user/tokens/${id}`);
  expect(await isPreview()).toBe(false);
});
