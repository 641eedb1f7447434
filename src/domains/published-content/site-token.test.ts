import { createHmac } from 'node:crypto';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, idIn, type PublishedSite } from '../../../test/published-site.ts';
import { sampleOf } from '../../../test/sample.ts';
import { aWorld, type World } from '../../../test/world.ts';
import { operations } from '../index.ts';

/** The token of `urls/published` reads what its visitor reads on the pages of the site, and nothing else. */

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const STAFF = 'visitor.claims.staff';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

interface Visiting {
  readonly jwtToken?: string;
  readonly unsignedClaims?: object;
}

/** Resolves a URL as an anonymous program. */
async function resolve(url: string, visitor: Visiting = {}): Promise<Answer['body']> {
  const answer = await app.call('POST', '/v1/urls/published', { body: { url, visitor } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const rootOf = (site: PublishedSite): string => `http://octavo.test/${site.basename}/`;
const get = (path: string, token: string) => app.call('GET', path, { token });

async function signer(site: PublishedSite): Promise<(claims: object, expires?: string) => Promise<string>> {
  const { privateKey } = await site.change('GET', `${site.site}/publishing/auth`);
  return (claims, expires = '6h') =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(privateKey));
}

/** A site with a page and a file of each kind that may be hidden. */
async function anAdaptiveSite() {
  const site = await aPublishedSite(app, world.a, { title: 'Adaptive' });
  await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  const newSpace = async (title: string) =>
    (await site.change('POST', `/v1/orgs/${world.a.organizationId}/spaces`, { title, editMode: 'live' }))
      .id as string;
  const [openId, staffId] = [await newSpace('Manual'), await newSpace('Staff manual')];
  const open = `/v1/spaces/${openId}`;
  const staff = `/v1/spaces/${staffId}`;
  await site.change('POST', `${site.site}/sections`, { spaceId: openId, title: 'Open' });
  const section = await site.change('POST', `${site.site}/sections`, { spaceId: staffId, title: 'Staff' });
  await site.change('PATCH', `${site.site}/sections/${section.id}`, { condition: STAFF });
  const names = ['open', 'block', 'page', 'unlisted', 'unused'];
  const { insertedFiles } = await site.contents.edit(open, {
    operation: 'insert_files',
    files: names.map((name) => ({ name: `${name}.png`, base64: PNG, ref: name })),
  });
  const fileIds = new Map(names.map((name, at) => [name, insertedFiles[at].id as string]));
  const file = (name: string) => `![](/files/${fileIds.get(name)})`;
  const { changes } = await site.contents.edit(
    open,
    insert(
      'Welcome',
      `Hello. ${file('open')}\n\n{% if ${STAFF} %}\nsecret-block ${file('block')}\n{% endif %}`,
    ),
    insert('Staff page', `secret-page ${file('page')}`, { condition: STAFF, ref: 'staff' }),
    insert('Below', 'secret-child', { into: 'staff' }),
    insert('Unlisted', `quiet-page ${file('unlisted')}`, { hidden: true }),
  );
  await site.contents.edit(staff, insert('Inside', 'secret-space'));
  const [welcome, staffPage, below, unlisted] = changes.map((each: Answer['body']) => each.page.id as string);
  return { site, open, staff, section, fileIds, pages: { welcome, staffPage, below, unlisted } };
}
type Adaptive = Awaited<ReturnType<typeof anAdaptiveSite>>;

const titlesIn = (pages: readonly Answer['body'][]): string[] =>
  pages.flatMap((page) => [page.title as string, ...titlesIn(page.pages ?? [])]);

describe('a token of a site', () => {
  let adaptive: Adaptive;
  let root: string;
  let sign: Awaited<ReturnType<typeof signer>>;

  beforeAll(async () => {
    adaptive = await anAdaptiveSite();
    root = rootOf(adaptive.site);
    sign = await signer(adaptive.site);
  });

  /** Everything that the token returns of a space, and of the site. */
  async function readAll(token: string, space: string) {
    const found = await get(space, token);
    if (found.status !== 200) return { status: found.status };
    const revision = (await get(`${space}/revisions/${found.body.revision}?metadata=true`, token)).body;
    const pages = `${space}/revisions/${found.body.revision}/page`;
    const texts = [];
    for (const { id } of revision.pages) {
      texts.push((await get(`${pages}/${id}/document?evaluated=false`, token)).text);
      texts.push((await get(`${pages}/${id}?format=markdown`, token)).text);
    }
    return {
      status: 200,
      titles: titlesIn(revision.pages),
      files: revision.files.map((each: Answer['body']) => each.name as string),
      text: [JSON.stringify(revision), ...texts].join('\n'),
    };
  }

  test('is a JWT that names its place and its visitor', async () => {
    const resolved = await resolve(root, { unsignedClaims: { beta: true } });
    const payload = decodeJwt(resolved.apiToken);
    expect(payload).toMatchObject({
      kind: 'site',
      organization: world.a.organizationId,
      site: adaptive.site.id,
      siteSpace: resolved.siteSpace,
      siteSection: resolved.siteSection,
      space: idIn(adaptive.open),
      spaces: [idIn(adaptive.open)],
      claims: { unsigned: { beta: true } },
    });
    const left = (payload.exp ?? 0) - Date.now() / 1000;
    expect(left).toBeGreaterThan(120);
    expect(left).toBeLessThanOrEqual(3600);
    expect((await resolve(root, { unsignedClaims: { beta: true } })).apiToken).toBe(resolved.apiToken);
  });

  test('reads a site as the visitor does, by pages, blocks, files and sections', async () => {
    const nobody = (await resolve(root)).apiToken;
    const staff = (await resolve(root, { jwtToken: await sign({ staff: true }) })).apiToken;
    const forged = (await resolve(root, { unsignedClaims: { staff: true } })).apiToken;
    for (const token of [nobody, forged]) {
      const open = await readAll(token, adaptive.open);
      expect(open).toMatchObject({ titles: ['Welcome'], files: ['open.png'] });
      expect(open.text).toContain('Hello.');
      expect(open.text).not.toMatch(/secret|quiet|visitor\.claims|block\.png/);
      expect(await readAll(token, adaptive.staff)).toEqual({ status: 404 });
    }
    const seen = await readAll(staff, adaptive.open);
    expect(seen.titles).toEqual(['Welcome', 'Staff page', 'Below']);
    expect(new Set(seen.files)).toEqual(new Set(['open.png', 'block.png', 'page.png']));
    expect(seen.text).toMatch(/secret-block[^]*secret-page/);
    expect((await readAll(staff, adaptive.staff)).text).toContain('secret-space');
  });

  test('agrees with the pages of the site for every page and visitor', async () => {
    const { open, site, pages, fileIds } = adaptive;
    const jwtToken = await sign({ staff: true });
    const visitors = [
      { visiting: {}, cookie: '' },
      { visiting: { jwtToken }, cookie: `octavo-visitor-token=${jwtToken}` },
    ];
    const paths = {
      welcome: '/',
      staffPage: '/staff-page',
      below: '/staff-page/below',
      unlisted: '/unlisted',
    };
    for (const { visiting, cookie } of visitors) {
      const token = (await resolve(root, visiting)).apiToken;
      for (const [name, path] of Object.entries(paths)) {
        const html = await site.read(path, { cookie });
        const page = await get(
          `${open}/content/page/${pages[name as keyof typeof pages]}?format=document`,
          token,
        );
        expect([path, page.status]).toEqual([path, html.status]);
        for (const word of ['Hello.', 'secret-block', 'secret-page', 'secret-child', 'quiet-page'])
          expect([path, word, page.text.includes(word)]).toEqual([path, word, html.text.includes(word)]);
      }
      for (const [name, shownAt] of [
        ['open', '/'],
        ['block', '/'],
        ['page', '/staff-page'],
        ['unused', '/'],
      ] as const) {
        const isShown = (await site.read(shownAt, { cookie })).text.includes(`${name}.png`);
        const file = await get(`${open}/content/files/${fileIds.get(name)}`, token);
        expect([name, file.status]).toEqual([name, isShown ? 200 : 404]);
      }
      for (const query of ['Hello', 'secret', 'quiet']) {
        const html = await site.read(`/~octavo/search?q=${query}`, { cookie, accept: 'application/json' });
        const found = await app.call('POST', `${site.site}/search`, {
          token,
          body: { query, scope: { mode: 'all' } },
        });
        for (const item of found.body.items)
          expect(item).toMatchObject({ type: 'space', score: item.pages[0].score });
        const ranked = found.body.items.flatMap((item: Answer['body']) => item.pages);
        expect(ranked.map((each: Answer['body']) => each.rank).toSorted()).toEqual(
          ranked.map((_page: unknown, index: number) => index + 1),
        );
        for (const each of ranked)
          expect(each).toMatchObject({ description: expect.any(String), ancestors: expect.any(Array) });
        const titles = found.body.items.flatMap((item: Answer['body']) =>
          item.pages.map((each: Answer['body']) => each.title),
        );
        expect([query, new Set(titles)]).toEqual([
          query,
          new Set(html.body.items.map((item: Answer['body']) => item.title)),
        ]);
      }
      const published = await get(`${site.site}/published`, token);
      expect(published.text.includes('Staff manual')).toBe(
        (await site.read('/', { cookie })).text.includes('>Staff<'),
      );
      expect(published.text).not.toContain(STAFF);
    }
  });

  test('has the settings that pages show to the visitor', async () => {
    const { site, open, staff, pages } = adaptive;
    const link = (title: string, to: object) => ({ title, to });
    const url = { kind: 'url', url: 'https://sample.example/' };
    const page = { kind: 'page', space: idIn(open), page: pages.staffPage };
    await site.change('PUT', `${site.site}/customization`, {
      header: {
        links: [
          { ...link('Public', url), links: [link('staff-page', page)] },
          { ...link('staff-condition', url), links: [], condition: STAFF },
          { ...link('staff-space', { kind: 'space', space: idIn(staff) }), links: [] },
        ],
      },
      footer: { groups: [{ title: 'Links', links: [link('staff-footer', page), link('Site', url)] }] },
      announcement: { enabled: false, message: 'not-announced', style: 'info' },
    });
    const settingsFor = async (visiting: Visiting) => {
      const { apiToken } = await resolve(root, visiting);
      return (await get(`${site.site}/published`, apiToken)).text;
    };
    const nobody = await settingsFor({});
    expect(nobody).toContain('"title":"Public"');
    expect(nobody).not.toMatch(/staff-|not-announced|visitor\.claims/);
    const shown = await settingsFor({ jwtToken: await sign({ staff: true }) });
    for (const title of ['staff-page', 'staff-condition', 'staff-space', 'staff-footer'])
      expect(shown).toContain(title);
    expect(shown).not.toMatch(/not-announced|visitor\.claims/);
  });

  test('describes embeds, and has the meta links of pages, as far as the visitor may read', async () => {
    const { open, staff, pages } = adaptive;
    const { apiToken } = await resolve(root);
    const video = `url=${encodeURIComponent('https://www.youtube.com/watch?v=abc123')}`;
    for (const token of [apiToken, world.a.admin.token]) {
      const rich = await get(`${open}/embed?${video}`, token);
      expect(rich.body).toMatchObject({
        type: 'rich',
        title: 'youtube.com/watch?v=abc123',
        site: 'youtube.com',
      });
      expect(rich.body.html).toMatch(
        /^<iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/abc123" [^<>]*><\/iframe>$/,
      );
      const link = await get(`${open}/embed?url=https://www.sample.example/a/`, token);
      expect(link.body).toEqual({ type: 'link', title: 'sample.example/a', site: 'sample.example' });
      for (const url of ['javascript:alert(1)', 'sample.example', ''])
        expect((await get(`${open}/embed?url=${encodeURIComponent(url)}`, token)).status, url).toBe(400);
      const { revision } = (await get(open, token)).body;
      for (const content of ['content', `revisions/${revision}`]) {
        const links = await get(`${open}/${content}/page/${pages.welcome}/meta-links`, token);
        expect([links.status, links.body]).toEqual([200, {}]);
        expect((await get(`${open}/${content}/page/none/meta-links`, token)).status).toBe(404);
      }
    }
    expect((await get(`${staff}/embed?${video}`, apiToken)).status).toBe(404);
    expect((await get(`${open}/content/page/${pages.staffPage}/meta-links`, apiToken)).status).toBe(404);
    const general = await app.call('GET', `/v1/urls/embed?${video}`, { token: world.a.admin.token });
    expect(general.body.type).toBe('rich');
  });

  test('lists a page that is not listed only if the visitor knew its address', async () => {
    const { open, pages } = adaptive;
    const resolved = await resolve(`${root}unlisted`);
    expect(resolved.contextId).toBeTruthy();
    const { revision } = (await get(open, resolved.apiToken)).body;
    const read = await get(`${open}/revisions/${revision}`, resolved.apiToken);
    expect(titlesIn(read.body.pages)).toEqual(['Welcome', 'Unlisted']);
    expect(read.text).toContain('unlisted.png');
    const byPath = await get(`${open}/content/path/unlisted`, (await resolve(root)).apiToken);
    expect(byPath.body).toMatchObject({ id: pages.unlisted });
    expect((await get(`${open}/content/path/staff-page`, resolved.apiToken)).status).toBe(404);
  });

  test('reads no revision but the published one', async () => {
    const { open, site, pages } = adaptive;
    const token = (await resolve(root)).apiToken;
    const before = (await get(open, token)).body.revision;
    await site.contents.edit(open, {
      operation: 'update_page',
      page: pages.below,
      document: { markdown: 'secret-child again' },
    });
    expect((await get(`${open}/revisions/${before}`, token)).status).toBe(404);
    const now = await get(`${open}/revisions/${(await get(open, token)).body.revision}`, token);
    expect(now.status).toBe(200);
    expect(now.body).toMatchObject({ parents: [], variables: {}, reusableContents: [] });
  });

  test('lists links and groups only with something that the visitor may read', async () => {
    const { site, open, staff, pages } = adaptive;
    const link = (title: string, target: object) => ({
      operation: 'insert_page',
      type: 'link',
      title,
      target,
    });
    const { changes } = await site.contents.edit(
      open,
      link('Link outside', { kind: 'url', url: 'https://sample.example/' }),
      link('staff-link to a page', { kind: 'page', page: pages.staffPage }),
      link('staff-link to a space', { kind: 'space', space: idIn(staff) }),
      { operation: 'insert_page', type: 'group', title: 'staff-group', ref: 'group' },
      insert('Inside a group', 'secret-group', { into: 'group', condition: STAFF }),
    );
    const read = async (visiting: Visiting) => {
      const { apiToken } = await resolve(root, visiting);
      const lists = await Promise.all(
        [`${open}/content`, `${open}/content/pages`].map((path) => get(path, apiToken)),
      );
      const ids = changes.map((each: Answer['body']) => each.page.id as string);
      const found = await Promise.all(
        ids.map(async (id: string) => (await get(`${open}/content/page/${id}`, apiToken)).status),
      );
      return { text: lists.map((each) => each.text).join(), found };
    };
    const nobody = await read({});
    expect(nobody.text).toContain('Link outside');
    expect(nobody.text).not.toMatch(/staff-/);
    expect(nobody.text).not.toContain(idIn(staff));
    expect(nobody.found).toEqual([200, 404, 404, 404, 404]);
    expect((await site.read('/')).text).not.toMatch(/staff-(link|group)/);
    const seen = await read({ jwtToken: await sign({ staff: true }) });
    for (const title of ['staff-link to a page', 'staff-link to a space', 'staff-group'])
      expect(seen.text).toContain(title);
    expect(seen.found).toEqual([200, 200, 200, 200, 200]);
  });

  test('reads a revision without how it came about', async () => {
    const { open, site } = adaptive;
    const { id } = await site.change('POST', `${open}/change-requests`, { subject: 'Proposed' });
    const request = `${open}/change-requests/${id}`;
    await site.contents.edit(request, insert('Proposed', 'Text.', { hidden: true }));
    await site.change('PATCH', request, { status: 'open' });
    await site.change('POST', `${request}/merge`);
    const read = await get(`${open}/content`, (await resolve(root)).apiToken);
    expect(read.body).toMatchObject({ type: 'edits', parents: [] });
    expect(read.text).not.toContain(id);
  });

  test('is refused when it is forged, expired or of another kind', async () => {
    const { apiToken } = await resolve(root);
    const [header = '', payload = '', signature = ''] = apiToken.split('.');
    const claims = decodeJwt(apiToken);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hs512 = `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}`;
    const theirs = await sign({ ...claims });
    const forged = [
      new UnsecuredJWT(claims).encode(),
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${hs512}.${createHmac('sha512', 'key').update(hs512).digest('base64url')}`,
      `${header}.${encode({ ...claims, claims: { staff: true } })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -1)}`,
      `${header}.${payload}.`,
      theirs,
    ];
    for (const token of forged) expect((await get(adaptive.open, token)).status, token).toBe(401);
    expect((await get(adaptive.open, apiToken)).status).toBe(200);
    // The own token of this visitor ends sooner.
    const brief = (await resolve(root, { jwtToken: await sign({ staff: true }, '2s') })).apiToken;
    expect((decodeJwt(brief).exp ?? 0) - Date.now() / 1000).toBeLessThan(3);
    const { siteSpace } = decodeJwt(brief);
    expect(siteSpace).toBeTruthy();
  });
});

describe('a token of a site ends', () => {
  /** The statuses of a read before and after. */
  const around = async (token: string, space: string, end: () => Promise<unknown>) => {
    const before = await get(space, token);
    await end();
    return [before.status, (await get(space, token)).status];
  };
  const ENDED = [200, 401];

  async function aSiteWith(visibility: string) {
    const site = await aPublishedSite(app, world.a, { title: 'Ending', visibility });
    const { space, siteSpace } = await site.addSpace('Manual');
    await site.contents.edit(space, insert('Welcome', 'Hello.'));
    return { site, space, siteSpace, root: rootOf(site) };
  }

  test('when the site is unpublished', async () => {
    const { site, space, root } = await aSiteWith('public');
    const unpublish = () => site.change('POST', `${site.site}/unpublish`);
    expect(await around((await resolve(root)).apiToken, space, unpublish)).toEqual(ENDED);
  });

  test('when its share link is closed', async () => {
    const { site, space } = await aSiteWith('share-link');
    const link = await site.change('POST', `${site.site}/share-links`, { name: 'Partners' });
    const { apiToken } = await resolve(link.urls.published);
    const close = () => site.change('PATCH', `${site.site}/share-links/${link.id}`, { active: false });
    expect(await around(apiToken, space, close)).toEqual(ENDED);
  });

  test('when the key of visitors is replaced', async () => {
    const { site, space, root } = await aSiteWith('visitor-auth');
    const { apiToken } = await resolve(root, { jwtToken: await (await signer(site))({}) });
    const regenerate = () => site.change('POST', `${site.site}/publishing/auth/regenerate`);
    expect(await around(apiToken, space, regenerate)).toEqual(ENDED);
  });

  test('when its site space is removed, and never reads the spaces of another site', async () => {
    const { site, space, siteSpace, root } = await aSiteWith('public');
    const other = await aSiteWith('public');
    const { apiToken } = await resolve(root);
    expect((await get(other.space, apiToken)).status).toBe(404);
    expect((await get(`${other.site.site}/published`, apiToken)).status).toBe(404);
    await site.addSpace('Second');
    const remove = () => site.change('DELETE', `${site.site}/site-spaces/${siteSpace}`);
    expect(await around(apiToken, space, remove)).toEqual(ENDED);
  });
});

describe('a token of a site, after a change of who may read', () => {
  /** A token for a visitor of each kind, by the visibility of the site. */
  async function tokensOf(visibility: string) {
    const site = await aPublishedSite(app, world.a, { title: 'Changing', visibility });
    const { space } = await site.addSpace('Manual');
    await site.contents.edit(space, insert('Welcome', 'Hello.'));
    await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
    const root = rootOf(site);
    const unsigned = { unsignedClaims: { name: '文'.repeat(4000), plan: 'pro' } };
    if (visibility === 'share-link') {
      const { urls } = await site.change('POST', `${site.site}/share-links`, { name: 'Partners' });
      return { site, space, tokens: [(await resolve(urls.published, unsigned)).apiToken] };
    }
    const signed = { jwtToken: await (await signer(site))({ plan: 'pro' }) };
    const visiting = visibility === 'visitor-auth' ? [signed] : [unsigned, signed];
    const resolved = await Promise.all(visiting.map((each) => resolve(root, each)));
    return { site, space, tokens: resolved.map((each) => each.apiToken) };
  }

  const statusesOf = async (tokens: readonly string[], space: string) =>
    Promise.all(tokens.map(async (token) => (await get(space, token)).status));

  // Signed claims admit to visitor authentication; nothing else that a token holds admits to more than it was issued for.
  test.each([
    ['public', 'share-link', [401, 401]],
    ['public', 'visitor-auth', [401, 200]],
    ['public', 'unlisted', [200, 200]],
    ['unlisted', 'visitor-auth', [401, 200]],
    ['share-link', 'visitor-auth', [401]],
    ['share-link', 'public', [200]],
    ['visitor-auth', 'share-link', [401]],
    ['visitor-auth', 'public', [200]],
  ])('from %s to %s reads only what it still may', async (before, after, expected) => {
    const { site, space, tokens } = await tokensOf(before);
    expect(await statusesOf(tokens, space)).toEqual(tokens.map(() => 200));
    await site.change('PATCH', site.site, { visibility: after });
    expect(await statusesOf(tokens, space)).toEqual(expected);
  });

  test.each([
    ['site', ({ site }: PublishedSite) => site],
    ['space', (_site: PublishedSite, space: string) => space],
  ])('ends when the %s is deleted', async (_name, deleted) => {
    const { site, space, tokens } = await tokensOf('public');
    await site.change('DELETE', deleted(site, space));
    expect(await statusesOf(tokens, space)).not.toContain(200);
  });
});

describe('operations', () => {
  const ALLOWED = new Set([
    'getPublishedContentSite',
    'getSiteStructure',
    'getSiteRedirectBySource',
    'searchSiteContent',
    'getSpaceById',
    'getEmbedByUrlInSpace',
    'getCurrentRevision',
    'listPages',
    'listFiles',
    'getFileById',
    'getPageById',
    'getPageByPath',
    'getPageDocumentById',
    'listSpacePageMetaLinks',
    'getDocumentById',
    'getRevisionById',
    'listPagesInRevisionById',
    'listFilesInRevisionById',
    'getFileInRevisionById',
    'getPageInRevisionById',
    'getPageInRevisionByPath',
    'getPageDocumentInRevisionById',
    'listRevisionPageMetaLinks',
  ]);
  let token: string;

  beforeAll(async () => {
    const site = await aPublishedSite(app, world.a, { title: 'All' });
    await site.addSpace('Manual');
    token = (await resolve(rootOf(site))).apiToken;
  });

  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s answers the token of another site with nothing',
    async (id, operation) => {
      const { method, url, body } = await sampleOf(app, operation, world.a);
      const answer = await app.call(method, url, { token, ...(body === undefined ? {} : { body }) });
      // The ids of the sample are of content that this site does not show.
      expect(answer.status, answer.text).toBe(ALLOWED.has(id) ? 404 : 403);
      expect(answer.text).not.toContain(`marker-${world.a.name}`);
    },
  );
});
