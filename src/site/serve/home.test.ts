import { describe, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { HTML } from '../../../test/published-site.ts';

/** The address of a new installation shows its handbook. */

const WITH_HANDBOOK = { environment: { OCTAVO_HANDBOOK: 'on' } };

describe('the address of the installation', () => {
  test('shows the handbook, whose links and pages work', async () => {
    const app = await startApp(WITH_HANDBOOK);
    const home = await app.call('GET', '/', { headers: HTML });
    expect(home.status).toBe(200);
    expect(home.text).toContain('<link rel="canonical" href="http://octavo.test/handbook/">');
    expect(home.text).toContain('Begin');
    const links = new Set(
      Array.from(home.text.matchAll(/href="(\/handbook\/[^"#?]*)"/g), ([, href]) => href ?? ''),
    );
    expect(links.size).toBeGreaterThan(10);
    for (const link of links) expect([link, (await app.call('GET', link)).status]).toEqual([link, 200]);
    expect((await app.call('GET', '/robots.txt')).text).toContain('Disallow: /v1/');
    // It is a site as any other.
    const token = app.adminToken;
    const organizations = await app.call('GET', '/v1/orgs', { token });
    const sites = `/v1/orgs/${organizations.body.items[0].id}/sites`;
    const { items } = (await app.call('GET', sites, { token })).body;
    expect(items).toMatchObject([{ basename: 'handbook', published: true, visibility: 'public' }]);
    await app.call('POST', `${sites}/${items[0].id}/unpublish`, { token });
    expect((await app.call('GET', '/')).text).toContain('Octavo is running');
    await app.call('POST', `${sites}/${items[0].id}/publish`, { token });
    expect((await app.call('GET', '/')).text).toContain('/handbook/');
    await app.call('DELETE', `${sites}/${items[0].id}`, { token });
    expect((await app.call('GET', '/')).text).toContain('Octavo is running');
  });

  test('shows a plain page if the operator switched it off', async () => {
    const app = await startApp();
    expect((await app.call('GET', '/')).text).toContain('Octavo is running');
    expect((await app.call('GET', '/handbook/')).status).toBe(404);
    const later = await startApp({ beside: await startApp(WITH_HANDBOOK) });
    expect((await later.call('GET', '/')).text).toContain('Octavo is running');
    expect((await later.call('GET', '/handbook/')).status).toBe(200);
  });

  test.each(['/', '/handbook/', '/nothing'])(
    'is not answered at other hosts, which name the setting: %s',
    async (path) => {
      const app = await startApp(WITH_HANDBOOK);
      for (const headers of [HTML, {}]) {
        const { status, text } = await app.call('GET', path, {
          headers: { ...headers, host: 'docs.example.org' },
        });
        expect([status, text]).toEqual([404, expect.stringContaining('must set OCTAVO_URL')]);
        expect(text).not.toContain('octavo.test');
      }
    },
  );
});
