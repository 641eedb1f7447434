import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, locationOf, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** Who may read a site: share links, visitor tokens, conditions; and that nothing shows what a page would not. */

let app: TestApp;
let second: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  second = await startApp({ beside: app });
  side = await aSide(app, 'alpha');
});

const cookieOf = (headers: Readonly<Record<string, string | undefined>>): string =>
  String(headers['set-cookie']).split(';', 1)[0] ?? '';

/** Everything of a site that shows content, by path. */
const everyFeed = [
  '/',
  '/.md',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/rss.xml',
  '/~octavo/search?q=secret',
];

async function aSiteWith(markdown: string, options: { visibility?: string } = {}) {
  const site = await aPublishedSite(app, side, { title: 'Private guides', ...options });
  const added = await site.addSpace('Manual');
  const ids = idsOf(
    await site.contents.edit(added.space, insert('Welcome', markdown), insert('Second', 'More.')),
  );
  return { site, ...added, ids };
}

describe('a site that is not published', () => {
  test('shows nothing of its content, and neither do its feeds', async () => {
    const { site } = await aSiteWith('secret words');
    expect((await site.read('/')).text).toContain('secret words');
    await site.change('POST', `${site.site}/unpublish`);
    for (const path of everyFeed) {
      const answer = await site.read(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).not.toContain('secret words');
      expect(answer.text).not.toContain('Welcome');
    }
  });
});

test('a site that is not published is like an address without a site', async () => {
  const { site, siteSpace, ids } = await aSiteWith('secret words', { visibility: 'share-link' });
  await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
  const { urls } = await site.change('POST', `${site.site}/share-links`, { name: 'Friends' });
  const key = new URL(urls.published).pathname.split('/').at(-2);
  await site.change('POST', `${site.site}/unpublish`);
  await app.sql('update sites set hostname = $1 where id = $2', ['unpublished.alpha.example', site.id]);
  const paths = ['', ...everyFeed, '/second', `/${key}/`, '/?visitor.beta=true', '/~octavo/leave-preview'];
  const form = new URLSearchParams({ space: siteSpace, page: ids[0] ?? '', rating: 'good' }).toString();
  const requests = [
    ...paths.map((path) => ['GET', path, {}] as const),
    ...['OPTIONS', 'DELETE'].map((method) => [method, '/second', {}] as const),
    [
      'POST',
      '/~octavo/feedback',
      { raw: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ] as const,
    [
      'POST',
      '/~octavo/mcp',
      { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: { accept: 'application/json' } },
    ] as const,
  ];
  for (const [method, path, call] of requests) {
    for (const accept of ['text/html', 'application/json']) {
      const answerAt = async (host: string, before: string) => {
        const headers = { accept, host, ...('headers' in call ? call.headers : {}) };
        const {
          status,
          text,
          headers: sent,
        } = await app.call(method, before + path || '/', {
          ...call,
          headers,
        });
        const { date: _date, 'x-request-id': _id, ...others } = sent;
        const body = text.replaceAll(before, '').replaceAll(String(sent['x-request-id']), '');
        return { status, body, headers: { ...others, 'content-length': undefined } };
      };
      const own = await answerAt('octavo.test', `/${site.basename}`);
      expect([method, path, own.status]).toEqual([method, path, 404]);
      expect(own).toEqual(await answerAt('octavo.test', '/no-such-site'));
      expect(await answerAt('unpublished.alpha.example', '')).toEqual(
        await answerAt('nothing.alpha.example', ''),
      );
    }
  }
});

describe('an unlisted site', () => {
  test('is readable and asks search engines to leave', async () => {
    const { site } = await aSiteWith('Unlisted words', { visibility: 'unlisted' });
    const page = await site.read('/');
    expect([page.status, page.headers['x-robots-tag']]).toEqual([200, 'noindex']);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect((await site.read('/robots.txt')).text).toContain('Disallow: /');
    expect((await site.read('/sitemap.xml')).text).not.toContain('<loc>');
  });
});

describe('a site with share links', () => {
  let site: PublishedSite;
  let link: { id: string; key: string };

  beforeAll(async () => {
    ({ site } = await aSiteWith('secret words', { visibility: 'share-link' }));
    const created = await site.change('POST', `${site.site}/share-links`, { name: 'Friends' });
    link = {
      id: created.id,
      key: new URL(created.urls.published).pathname.split('/').at(-2) ?? '',
    };
  });

  test('is closed without a key, with a guessed one, and with one of another site', async () => {
    const other = await aSiteWith('Other words', { visibility: 'share-link' });
    const { urls } = await other.site.change('POST', `${other.site.site}/share-links`, { name: 'Others' });
    const foreign = new URL(urls.published).pathname.split('/').at(-2) ?? '';
    const wrong = [
      '',
      `${link.key}x`,
      link.key.toUpperCase(),
      link.key.slice(0, -1),
      foreign,
      'x'.repeat(32),
    ];
    for (const key of wrong) {
      const byPath = await site.read(key === '' ? '/' : `/${key}/`);
      const byCookie = await site.read('/', { cookie: `octavo-share=${key}` });
      for (const answer of [byPath, byCookie]) {
        expect([key, answer.status]).toEqual([key, 403]);
        expect(answer.headers['set-cookie']).toBeUndefined();
        expect(answer.text).not.toMatch(/secret words|Second/);
      }
    }
    for (const path of everyFeed) expect([path, (await site.read(path)).status]).toEqual([path, 403]);
  });

  test('opens by the key, which becomes a cookie of the site', async () => {
    const answer = await site.read(`/${link.key}/second?a=1`);
    expect([answer.status, locationOf(answer)]).toEqual([302, `/${site.basename}/second?a=1`]);
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toContain(`Path=/${site.basename};`);
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    const page = await site.read('/', { cookie: cookieOf(answer.headers) });
    expect(page.text).toContain('secret words');
    expect(page.headers['cache-control']).toBe('private, no-cache');
    expect(page.headers['vary']).toContain('Cookie');
  });

  test('never redirects to another host', async () => {
    for (const rest of ['//evil.example', '/\\evil.example', '/%2f%2fevil.example']) {
      const answer = await site.read(`/${link.key}${rest}`);
      expect(answer.headers['location'] ?? `/${site.basename}/`).toMatch(
        new RegExp(`^/${site.basename}/(?![/\\\\])`),
      );
    }
  });

  test('closes at once on every process, by deactivation and by deletion', async () => {
    const cookie = cookieOf((await site.read(`/${link.key}/`)).headers);
    const both = async () => {
      const path = `/${site.basename}/`;
      const answers = [app, second].map((each) => each.call('GET', path, { headers: { ...HTML, cookie } }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await both()).toEqual([200, 200]);
    await site.change('PATCH', `${site.site}/share-links/${link.id}`, { active: false });
    expect((await app.call('GET', `/${site.basename}/`, { headers: { ...HTML, cookie } })).status).toBe(403);
    await expect.poll(both).toEqual([403, 403]);
    expect((await site.read(`/${link.key}/`)).status).toBe(403);
    await site.change('PATCH', `${site.site}/share-links/${link.id}`, { active: true });
    await expect.poll(both).toEqual([200, 200]);
    await site.change('DELETE', `${site.site}/share-links/${link.id}`);
    await expect.poll(both).toEqual([403, 403]);
  });
});

test('a site cannot name the address of another one as that of its proxy to set its cookies', async () => {
  const victim = await aPublishedSite(app, side, { title: 'Victim', visibility: 'share-link' });
  const { site } = await aSiteWith('Words', { visibility: 'share-link' });
  await site.change('PATCH', site.site, { proxy: `evil.example/${victim.basename}` });
  const { urls } = await site.change('POST', `${site.site}/share-links`, { name: 'Friends' });
  const opened = await site.read(`/${new URL(urls.published).pathname.split('/').at(-2)}/`);
  expect([opened.status, locationOf(opened)]).toEqual([302, `/${site.basename}/`]);
  expect(String(opened.headers['set-cookie'])).toContain(`Path=/${site.basename};`);
  // The path of the proxy is before every address, also at a hostname of its own.
  await app.sql('update sites set hostname = $1 where id = $2', ['proxied.alpha.example', site.id]);
  const cookie = cookieOf(opened.headers);
  const read = () => app.call('GET', '/', { headers: { ...HTML, cookie, host: 'proxied.alpha.example' } });
  await expect.poll(async () => (await read()).text).toContain(`href="/${victim.basename}/second"`);
});

describe('a site with visitor tokens', () => {
  let site: PublishedSite;
  let key: string;

  beforeAll(async () => {
    ({ site } = await aSiteWith('secret words', { visibility: 'visitor-auth' }));
    key = (await site.change('GET', `${site.site}/publishing/auth`)).privateKey;
  });

  const token = (claims: object, secret: string, expires = '1h') =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(secret));

  test('opens by a valid token, which becomes a cookie', async () => {
    const answer = await site.read(`/second?jwt_token=${await token({ plan: 'pro' }, key)}&a=1`);
    expect([answer.status, locationOf(answer)]).toEqual([302, `/${site.basename}/second?a=1`]);
    const page = await site.read('/', { cookie: cookieOf(answer.headers) });
    expect(page.text).toContain('secret words');
  });

  test('refuses forged, expired and foreign tokens, in the address and in the cookie', async () => {
    const other = await aSiteWith('x', { visibility: 'visitor-auth' });
    const foreign = (await other.site.change('GET', `${other.site.site}/publishing/auth`)).privateKey;
    const valid = await token({}, key);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${valid.split('.')[1]}.`;
    const bad = [
      await token({}, 'guess'),
      await token({}, foreign),
      await token({}, key, '-1h'),
      none,
      `${valid}x`,
      'x',
      '',
    ];
    for (const each of bad) {
      const byAddress = await site.read(`/?jwt_token=${encodeURIComponent(each)}`);
      const byCookie = await site.read('/', { cookie: `octavo-visitor-token=${each}` });
      for (const answer of [byAddress, byCookie]) {
        expect([each, answer.status]).toEqual([each, 403]);
        expect(answer.text).not.toContain('secret words');
      }
    }
    for (const path of everyFeed) expect([path, (await site.read(path)).status]).toEqual([path, 403]);
  });

  test('is the only audience of its tokens', async () => {
    const { id, basename } = site;
    await app.sql('update sites set hostname = $1 where id = $2', ['visitors.alpha.example', id]);
    const opens = async (aud: unknown) =>
      (await site.read(`/?jwt_token=${await token({ aud }, key)}`)).status === 302;
    const own = [
      id,
      `http://octavo.test/${basename}`,
      `http://octavo.test/${basename}/`,
      'visitors.alpha.example',
      'https://visitors.alpha.example',
      'https://visitors.alpha.example/',
      ['https://another.example', id],
    ];
    await expect.poll(() => opens('visitors.alpha.example')).toBe(true);
    for (const aud of own) expect([aud, await opens(aud)]).toEqual([aud, true]);
    const others = [
      'http://octavo.test',
      'http://octavo.test/',
      'octavo.test',
      `http://octavo.test/${basename}-2`,
      'https://another.example',
      basename,
      [],
    ];
    for (const aud of others) expect([aud, await opens(aud)]).toEqual([aud, false]);
    await app.sql('update sites set hostname = null where id = $1', [id]);
  });

  test('sends visitors to the fallback URL with their location', async () => {
    await site.change('PATCH', `${site.site}/publishing/auth`, {
      backend: 'custom',
      fallbackURL: 'https://login.example/sign-in?from=docs',
    });
    const answer = await site.read('/second');
    expect(answer.status).toBe(302);
    expect(answer.headers['location']).toBe('https://login.example/sign-in?from=docs&location=%2Fsecond');
    expect((await site.read('/second?jwt_token=x')).status).toBe(403);
  });

  test('refuses tokens of the old key once it is regenerated', async () => {
    const cookie = `octavo-visitor-token=${await token({}, key)}`;
    expect((await site.read('/', { cookie })).status).toBe(200);
    await site.change('POST', `${site.site}/publishing/auth/regenerate`);
    expect((await site.read('/', { cookie })).status).toBe(302);
  });
});

describe('conditions', () => {
  const PRO = 'visitor.claims.plan === "pro"';
  let site: PublishedSite;
  let asPro: { cookie: string };
  let proSpace: { space: string; siteSpace: string };

  beforeAll(async () => {
    site = await aPublishedSite(app, side, { title: 'Adaptive' });
    await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
    const { space } = await site.addSpace('Manual');
    await site.contents.edit(
      space,
      insert(
        'Welcome',
        `Hello.\n\n{% if ${PRO} %}\nclassified block ![](https://files.example/a.png)\n{% endif %}\n`,
      ),
      insert('Pro page', 'classified page', { condition: PRO, ref: 'pro' }),
      insert('Below', 'classified child', { into: 'pro' }),
      insert('Broken', 'classified broken', { condition: 'visitor.(' }),
      insert('Hidden', 'Unlisted text', { hidden: true }),
    );
    proSpace = await site.addSpace('Pro space');
    await site.contents.edit(proSpace.space, insert('Inside', 'classified space'));
    await site.change('PATCH', `${site.site}/site-spaces/${proSpace.siteSpace}`, { condition: PRO });
    const { privateKey } = await site.change('GET', `${site.site}/publishing/auth`);
    const token = await new SignJWT({ plan: 'pro' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(privateKey));
    asPro = { cookie: `octavo-visitor-token=${token}` };
  });

  const paths = [
    '/',
    '/welcome.md',
    '/pro-page',
    '/pro-page.md',
    '/pro-page/below',
    '/pro-space/',
    '/broken',
    '/llms.txt',
    '/llms-full.txt',
    '/sitemap.xml',
    '/rss.xml',
  ];

  test('hide sections, site spaces, pages and blocks everywhere', async () => {
    for (const path of paths) {
      const { text } = await site.read(path);
      expect([path, /classified|pro-page|pro-space|Inside|files\.example|broken"/.exec(text)?.[0]]).toEqual([
        path,
        undefined,
      ]);
    }
    for (const path of ['/pro-page', '/pro-page/below', '/pro-space/', '/broken'])
      expect([path, (await site.read(path)).status]).toEqual([path, 404]);
  });

  test('hide what matches from searches, also by a word that is only in a hidden block', async () => {
    const found = async (query: string, headers = {}) => {
      const path = `/~octavo/search?q=${query}`;
      const answer = await site.read(path, { accept: 'application/json', ...headers });
      return answer.body.items.map(({ title }: { title: string }) => title);
    };
    expect(await found('classified')).toEqual([]);
    expect(await found('block')).toEqual([]);
    expect(await found('hello')).toEqual(['Welcome']);
    expect((await found('classified', asPro)).toSorted()).toEqual(['Below', 'Inside', 'Pro page', 'Welcome']);
  });

  test('show them to a visitor with the claims, and cached pages are not mixed up', async () => {
    const shown = async (path: string) => (await site.read(path, asPro)).text;
    expect(await shown('/')).toContain('classified block');
    expect(await shown('/pro-page')).toContain('classified page');
    expect(await shown('/pro-page/below')).toContain('classified child');
    expect(await shown('/pro-space/')).toContain('classified space');
    expect(await shown('/welcome.md')).toContain('classified block');
    expect(await shown('/llms.txt')).toContain('/pro-page.md');
    expect(await shown('/~octavo/search?q=classified')).toContain('/pro-page');
    expect((await site.read('/broken', asPro)).status).toBe(404);
    expect((await site.read('/')).text).not.toContain('classified');
    expect((await site.read('/', asPro)).headers['cache-control']).toBe('private, no-cache');
  });

  test('read unsigned claims from the address, once', async () => {
    await site.change('PATCH', `${site.site}/site-spaces/${proSpace.siteSpace}`, {
      condition: 'visitor.claims.unsigned.beta === true',
    });
    expect((await site.read('/pro-space/')).status).toBe(404);
    const answer = await site.read('/pro-space/?visitor.beta=true&x=1');
    expect([answer.status, locationOf(answer)]).toEqual([302, `/${site.basename}/pro-space/?x=1`]);
    expect((await site.read('/pro-space/', { cookie: cookieOf(answer.headers) })).text).toContain(
      'classified space',
    );
    // Unsigned claims cannot pretend to be signed ones.
    const forged = `octavo-visitor-public=${encodeURIComponent('{"plan":"pro"}')}`;
    expect((await site.read('/pro-page', { cookie: forged })).status).toBe(404);
  });

  test('hidden pages are readable by their address and listed nowhere', async () => {
    expect((await site.read('/hidden')).text).toContain('Unlisted text');
    for (const path of ['/', '/llms.txt', '/sitemap.xml', '/~octavo/search?q=Unlisted'])
      expect([path, (await site.read(path)).text.includes('/hidden')]).toEqual([path, false]);
  });
});

describe('files', () => {
  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  test('are served to those who may read the page that shows them, on the host of their site', async () => {
    const { site, space, ids } = await aSiteWith('Hello.');
    const upload = await site.contents.edit(space, {
      operation: 'insert_files',
      files: [
        { name: 'dot.png', base64: PNG, ref: 'dot' },
        { name: 'unused.png', base64: PNG, ref: 'unused' },
      ],
    });
    const files = upload.insertedFiles as { id: string }[];
    const [dot, unused] = files.map(({ id }) => id);
    await site.contents.edit(space, {
      operation: 'update_page',
      page: ids[0],
      document: { markdown: `![Dot](/files/${dot})\n` },
    });
    const { text } = await site.read('/');
    const src =
      /src="(\/[^"]*\/~octavo\/file\/[^"]*dot\.png[^"]*)"/
        .exec(text)?.[1]
        ?.replaceAll('&amp;', '&')
        .replaceAll('&#38;', '&') ?? '';
    const picture = await app.call('GET', src);
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
    expect(picture.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    // A file that the page does not show.
    expect((await app.call('GET', src.replace(dot ?? '', unused ?? ''))).status).toBe(404);
    expect((await app.call('GET', src.replace(ids[0] ?? '', ids[1] ?? ''))).status).toBe(404);
    // Another site of another organization.
    const other = await aPublishedSite(app, await aSide(app, 'beta'), { title: 'Other' });
    await other.addSpace('Other');
    expect((await app.call('GET', src.replace(site.basename, other.basename))).status).toBe(404);
    await app.sql('update sites set hostname = $1 where id = $2', ['other.beta.example', other.id]);
    const foreign = { headers: { host: 'other.beta.example' } };
    expect((await app.call('GET', src.replace(`/${site.basename}`, ''), foreign)).status).toBe(404);
    const api = await site.contents.get(`${space}/content/files/${dot}`);
    expect((await app.call('GET', new URL(api.downloadURL).pathname, foreign)).status).toBe(404);
    expect((await app.call('GET', new URL(api.downloadURL).pathname)).status).toBe(200);
    await site.change('POST', `${site.site}/unpublish`);
    expect((await app.call('GET', src)).status).toBe(404);
  });
});
