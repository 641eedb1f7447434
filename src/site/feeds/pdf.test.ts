import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, HTML, type PublishedSite } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** The PDF of a page, for its readers. */

/** A timeout for hangs only. */
const HANG_TIMEOUT = 120_000;

let app: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
});

const PRO = `visitor.claims.plan === 'pro'`;

/** The address in the page; undefined: none is offered. */
async function offered(site: PublishedSite, path: string, headers = {}): Promise<string | undefined> {
  const { text } = await site.read(path, headers);
  return /href="([^"]*\/~octavo\/pdf\/[^"]+)"/.exec(text)?.[1];
}

const download = (url: string, headers = {}) =>
  app.app.server.inject({ method: 'GET', url, headers: { ...HTML, ...headers } });

async function aSiteWith(options: object, ...changes: object[]) {
  const site = await aPublishedSite(app, side, options);
  const { space, siteSpace } = await site.addSpace('Manual');
  const ids = idsOf(await site.contents.edit(space, ...changes));
  return { site, space, siteSpace, ids };
}

async function tokenOf(site: PublishedSite, claims: Record<string, unknown>) {
  const { privateKey } = await site.change('GET', `${site.site}/publishing/auth`);
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(privateKey));
  return { cookie: `octavo-visitor-token=${token}` };
}

describe('the PDF of a page', { timeout: HANG_TIMEOUT }, () => {
  test('is offered and served, until the customization switches it off', async () => {
    const { site, siteSpace, ids } = await aSiteWith(
      { title: 'Printed' },
      insert('Start', '## One\n\nText.'),
    );
    const url = (await offered(site, '/')) ?? '';
    expect(url).toBe(`/${site.basename}/~octavo/pdf/${siteSpace}/${ids[0]}.pdf`);
    const pdf = await download(url);
    expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.headers['content-disposition']).toContain('start.pdf');
    const again = await download(url, { 'if-none-match': String(pdf.headers['etag']) });
    expect(again.statusCode).toBe(304);
    await site.change('PUT', `${site.site}/customization`, { pdf: { enabled: false } });
    expect(await offered(site, '/')).toBeUndefined();
    expect((await download(url)).statusCode).toBe(404);
  });

  test('needs the right to read the page: a share link, until it is closed', async () => {
    const { site, siteSpace, ids } = await aSiteWith(
      { title: 'Shared', visibility: 'share-link' },
      insert('Start', 'Text.'),
    );
    const url = `/${site.basename}/~octavo/pdf/${siteSpace}/${ids[0]}.pdf`;
    expect((await download(url)).statusCode).toBe(403);
    const link = await site.change('POST', `${site.site}/share-links`, { name: 'For a test' });
    const opened = await download(new URL(link.urls.published).pathname);
    const cookie = { cookie: String(opened.headers['set-cookie']).split(';')[0] ?? '' };
    const pdf = await download(url, cookie);
    expect([pdf.statusCode, pdf.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    await site.change('PATCH', `${site.site}/share-links/${link.id}`, { active: false });
    expect((await download(url, cookie)).statusCode).toBe(403);
  });

  test('is offered to visitors with claims only for pages that are the same for everyone', async () => {
    const { site, space, siteSpace, ids } = await aSiteWith(
      { title: 'Adaptive' },
      insert('Same', 'For everyone.'),
      insert('Conditional', `{% if ${PRO} %}\nclassified\n{% endif %}\n`),
    );
    await site.change('PATCH', site.site, { adaptiveContent: { enabled: true } });
    const pro = await tokenOf(site, { plan: 'pro' });
    expect(await offered(site, '/', pro)).toBeDefined();
    expect(await offered(site, '/conditional', pro)).toBeUndefined();
    const url = `/${site.basename}/~octavo/pdf/${siteSpace}/${ids[1]}.pdf`;
    expect((await download(url, pro)).statusCode).toBe(404);
    // A page that is hidden from the visitor has none, and no page has one that could name it.
    const [secret] = idsOf(
      await site.contents.edit(space, insert('Secret', 'classified', { condition: PRO })),
    );
    expect(await offered(site, '/')).toBeUndefined();
    for (const id of [ids[0], secret]) {
      const path = `/${site.basename}/~octavo/pdf/${siteSpace}/${id}.pdf`;
      expect((await download(path)).statusCode).toBe(404);
    }
    expect(await offered(site, '/secret', pro)).toBeDefined();
  });

  test('of another site, or of nothing, is not found', async () => {
    const first = await aSiteWith({ title: 'First' }, insert('Start', 'Text.'));
    const second = await aSiteWith({ title: 'Second' }, insert('Start', 'Text.'));
    const base = `/${first.site.basename}/~octavo/pdf`;
    for (const path of [
      `${second.siteSpace}/${second.ids[0]}.pdf`,
      `${first.siteSpace}/${second.ids[0]}.pdf`,
      `${first.siteSpace}/nothing.pdf`,
      `${first.siteSpace}/${first.ids[0]}`,
      `..%2f${first.ids[0]}.pdf`,
    ])
      expect([path, (await download(`${base}/${path}`)).statusCode]).toEqual([path, 404]);
  });
});
