import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { launchBrowser } from '../browser.ts';
import { insert } from '../content.ts';
import { aPublishedSite, idIn, type PublishedSite } from '../published-site.ts';
import { listening } from '../socket.ts';
import { aSide, type Side } from '../world.ts';
import corpus from '../xss-payloads.json' with { type: 'json' };
import { visitor } from './visit.ts';

/**
 * Hostile text, stored through the API in every place where a site shows text, in a browser. Every page is opened twice: with
 * its Content-Security-Policy, which must have nothing to refuse, and without it, where everything that got through would run.
 */

let app: TestApp;
let side: Side;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), launchBrowser()]);
  side = await aSide(app, 'alpha');
  origin = `http://127.0.0.1:${(await listening(app)).port}`;
}, 300_000);
afterAll(() => browser.close());

/** Reports what ran and what the policy refused, from the first moment of a page. */
const WATCH = `
  window.ran = [];
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox']) window[name] = (...args) => ran.push(name + '(' + args + ')');
  // A picture that is not encrypted is no script: the policy refuses it on purpose.
  document.addEventListener('securitypolicyviolation', (event) => event.violatedDirective === 'img-src' && event.blockedURI.startsWith('http:') || ran.push('refused: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
`;

/** Everything of a document that could run later, when a reader clicks, hovers or types. */
const FIND_ACTIVE = `(() => {
  const found = [...ran];
  const parts = [document, ...[...document.querySelectorAll('template')].map(({ content }) => content)];
  for (const element of parts.flatMap((part) => [...part.querySelectorAll('*')])) {
    const name = element.localName;
    if (/^(object|embed|applet|base|portal|fencedframe|frame|frameset|marquee|xmp|isindex)$/.test(name)) found.push('<' + name + '>');
    if (name === 'meta' && element.httpEquiv) found.push(element.outerHTML);
    if (name === 'script' && element.src && new URL(element.src).origin !== location.origin) found.push(element.outerHTML);
    if (name === 'form' && new URL(element.action).origin !== location.origin) found.push(element.outerHTML);
    for (const attribute of element.attributes) {
      if (/^on|^style$|^srcdoc$|^ping$|^formaction$/.test(attribute.name)) found.push(attribute.name + ' of ' + element.outerHTML.slice(0, 200));
      if (!/^(href|src|action|data|poster|xlink:href)$/.test(attribute.name)) continue;
      let protocol = 'https:';
      try { protocol = new URL(attribute.value, location.href).protocol; } catch {}
      const isIcon = name === 'link' && element.rel === 'icon' && attribute.value.startsWith('data:image/svg+xml,');
      if (!/^(https?|mailto|tel):$/.test(protocol) && !isIcon) found.push(attribute.value + ' in ' + element.outerHTML.slice(0, 200));
    }
  }
  return { found, scripts: document.scripts.length, styles: document.querySelectorAll('style').length };
})()`;

interface Opened {
  readonly found: readonly string[];
  readonly scripts: number;
  readonly styles: number;
}

/** Opens addresses with and without the policy; returns what got through, by address. */
async function hostileIn(
  addresses: readonly string[],
  prepare?: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const all: string[] = [];
  for (const bypassCSP of [false, true]) {
    const { page, context, close } = await visitor(browser, { bypassCSP });
    await context.addInitScript(WATCH);
    page.on('dialog', (dialog) => void dialog.dismiss());
    // Pictures of other hosts are allowed, and are not requested by tests; scripts, styles, frames and the rest are not.
    await page.route(
      (url) => url.origin !== origin,
      (route) => {
        const type = route.request().resourceType();
        if (type !== 'image' && type !== 'media')
          all.push(`${type} ${route.request().url()} in ${page.url()}`);
        return route.abort();
      },
    );
    for (const address of addresses) {
      await page.goto(address, { waitUntil: 'load' });
      await prepare?.(page);
      const { found, scripts, styles } = (await page.evaluate(FIND_ACTIVE)) as Opened;
      const counts = scripts === 2 && styles === 1 ? [] : [`${scripts} scripts, ${styles} styles`];
      all.push(
        ...[...found, ...counts].map((what) => `${address}${bypassCSP ? ' without policy' : ''}: ${what}`),
      );
    }
    await close();
  }
  return all;
}

const addressOf = ({ basename }: PublishedSite, path = '/'): string => `${origin}/${basename}${path}`;

/** The API refuses text that is no Unicode, and NUL. */
const payloads = corpus.filter((payload) => payload.isWellFormed() && !payload.includes('\0'));

/** Titles and names are lines: the API refuses others, and more characters than a field takes. */
const linesUpTo = (length: number, min = 1): string[] =>
  payloads.filter(
    (payload) =>
      payload.length <= length &&
      payload.length >= min &&
      !/\p{Cc}/u.test(payload) &&
      payload.trim() === payload,
  );

const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_each, n) => items.slice(n * size, (n + 1) * size));

/** Blocks, where `@` is the payload. */
const MARKDOWN = [
  '@', '## @', '* @', '- [x] @', '> @', '**@** and `@`', '[@](x)', '[x](@)', '[x](<@>)', '[x](y "@")', '![@](x.png)', '![x](@)', '![x](<@> "@")',
  '```@\n@\n```', '| @ | b |\n| - | - |\n| c | @ |', '$$\n@\n$$', 'Of $$@$$.', '<kbd>@</kbd> <mark style="@">x</mark> <i class="fa-@">:@:</i>',
  '<a href="@" class="button primary" data-icon="@">@</a>', '<button type="button" class="button primary" data-action="@" data-query="@">@</button>',
  '<figure><img src="@" alt="@" width="@"><figcaption><p>@</p></figcaption></figure>', '{% hint style="@" icon="@" %}\n@\n{% endhint %}',
  '{% tabs %}\n{% tab title="@" icon="@" %}\n@\n{% endtab %}\n{% endtabs %}', '{% stepper %}\n{% step %}\n### @\n{% endstep %}\n{% endstepper %}',
  '{% code title="@" %}\n```js\n@\n```\n{% endcode %}', '<details>\n\n<summary>@</summary>\n\n@\n\n</details>', '{% embed url="@" %}\n@\n{% endembed %}',
  '{% file src="@" %}\n@\n{% endfile %}', '{% content-ref url="@" %}\n[@](@)\n{% endcontent-ref %}', '{% updates format="full" %}\n{% update date="2026-01-01" tags="@" %}\n@\n{% endupdate %}\n{% endupdates %}',
  '{% prompt description="@" icon="@" %}\n@\n{% endprompt %}', '{% openapi-operation spec="@" path="@" method="@" %}\n[@](@)\n{% endopenapi-operation %}', '{% @x/y url="@" %}',
  '<table data-view="cards"><thead><tr><th>a</th><th data-type="content-ref" data-card-target></th></tr></thead><tbody><tr><td>@</td><td><a href="@">@</a></td></tr></tbody></table>',
  'See https://x.org/@ now', '<div title="@">@</div>', '<!-- @ -->',
]; // prettier-ignore

const markdownOf = (payload: string, n: number): string =>
  MARKDOWN.filter((_place, at) => (at + n) % 3 === 0)
    .map((place) =>
      place
        .replaceAll('@x/y', '\u0001')
        .replaceAll('@', () => payload)
        .replaceAll('\u0001', '@x/y'),
    )
    .join('\n\n');

test('there are at least 300 payloads', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(300);
});

test('what the test looks for is found', async () => {
  const { page, context, close } = await visitor(browser);
  await context.addInitScript(WATCH);
  const site = await aPublishedSite(app, side, { title: 'Watched' });
  await page.goto(addressOf(site));
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)><a href=javascript:alert(1)>x</a>')`,
  );
  await expect
    .poll(() => page.evaluate(FIND_ACTIVE))
    .toMatchObject({
      found: expect.arrayContaining([
        expect.stringMatching(/^refused: script-src-attr/),
        expect.stringMatching(/^onerror of/),
        expect.stringMatching(/^javascript:/),
      ]),
    });
  await close();
});

describe('text of the content', () => {
  // Each payload in a third of the places, and each place with a third of the payloads; `render/html` tests all of them.
  test.each(inChunks(payloads, 34).map((chunk, n) => [n, chunk] as const))(
    'blocks and inlines, part %i of the payloads',
    async (n, chunk) => {
      const site = await aPublishedSite(app, side, { title: 'Blocks' });
      const { space } = await site.addSpace('Manual');
      const markdown = chunk.map((payload, at) => markdownOf(payload, n * 34 + at)).join('\n\n***\n\n');
      await site.contents.edit(space, insert('Welcome', markdown));
      expect((await site.read('/')).text.length).toBeGreaterThan(markdown.length);
      expect(await hostileIn([addressOf(site)])).toEqual([]);
    },
  );

  test('diagrams, which are drawn', async () => {
    const site = await aPublishedSite(app, side, { title: 'Diagrams' });
    const { space } = await site.addSpace('Manual');
    const drawn = linesUpTo(60).filter((_payload, n) => n % 30 === 0);
    const diagrams = drawn.map(
      (payload) => `\`\`\`mermaid\nflowchart LR\nA["${payload.replaceAll('"', "'")}"] --> B\n\`\`\``,
    );
    await site.contents.edit(space, insert('Welcome', diagrams.join('\n\n')));
    const draw = async (page: Page) => {
      for (const diagram of await page.locator('.diagram').all()) {
        await diagram.scrollIntoViewIfNeeded();
        await page.waitForTimeout(100);
      }
      await page.locator('.diagram.drawn').first().waitFor();
    };
    expect(await hostileIn([addressOf(site)], draw)).toEqual([]);
  });

  test('titles, descriptions, labels, icons, tags, links and files', async () => {
    const site = await aPublishedSite(app, side, { title: 'Titles' });
    const { space } = await site.addSpace('Manual');
    const titles = linesUpTo(100);
    const nameOf = (title: string): string => title.replaceAll(/[^ -~]|[/\\]/g, '-');
    const changes = titles.flatMap((title, n) => [
      insert(title, `![${n}](x.png)`, {
        slug: `page-${n}`,
        description: title,
        ...(n % 2 ? { icon: 'x' } : {}),
      }),
      {
        operation: 'insert_files',
        files: [{ name: `${nameOf(title)}.svg`, base64: Buffer.from(titles.join('')).toString('base64') }],
      },
    ]);
    for (const chunk of inChunks(changes, 50)) await site.contents.edit(space, ...chunk);
    const { files } = await site.contents.get(`${space}/content`);
    expect(files.length).toBeGreaterThan(250);
    const shown = files
      .map(({ id }: { id: string }) => `![](/files/${id})\n\n{% file src="/files/${id}" %}`)
      .join('\n\n');
    await site.contents.edit(space, insert('Files', shown, { slug: 'files' }));
    const { items } = await site.contents.get(`${site.site}/site-spaces`);
    const contents = addressOf(site, `/~octavo/contents/${items[0].id}`);
    const paths = ['/', '/files', ...inChunks(titles, 30).map((_chunk, n) => `/page-${n * 30 + 1}`)].map(
      (path) => addressOf(site, path),
    );
    expect((await site.read('/')).text).toContain(
      '<title>&#60;img src=x onerror=alert(1)&#62; · Titles</title>',
    );
    expect(await hostileIn([...paths, contents, `${contents}?from=200`])).toEqual([]);
  });
});

describe('text of the site', () => {
  test('links of header, footer and menus, with every payload', async () => {
    const site = await aPublishedSite(app, side, { title: 'Links' });
    const { space } = await site.addSpace('Manual');
    await site.contents.edit(space, insert('Welcome', 'Hello.'));
    const linkTo = (title: string) => ({ title, to: { kind: 'url', url: 'https://example.org/' } });
    const titles = linesUpTo(64);
    await site.change('PUT', `${site.site}/customization`, {
      header: {
        links: inChunks(titles, 25).map((some) => ({ ...linkTo(some[0] ?? ''), links: some.map(linkTo) })),
      },
      footer: {
        groups: inChunks(titles, 25).map((some) => ({ title: some[0] ?? '', links: some.map(linkTo) })),
      },
    });
    expect(await hostileIn([addressOf(site)])).toEqual([]);
    // An address that a browser would run is refused.
    for (const url of payloads.filter((payload) => /^\s*(javascript|data|vbscript):/i.test(payload))) {
      const header = { links: [{ title: 'x', to: { kind: 'url', url }, links: [] }] };
      const answer = await site.contents.call('PUT', `${site.site}/customization`, { header });
      expect([url, answer.status]).toEqual([url, 400]);
    }
  });

  test('titles of site, space, sections and groups, announcement, copyright, share links', async () => {
    const site = await aPublishedSite(app, side, { title: 'Names' });
    const { space } = await site.addSpace('Manual');
    await site.contents.edit(space, insert('Welcome', 'Hello.'));
    const spaces = `/v1/orgs/${side.organizationId}/spaces`;
    const added = await site.change('POST', spaces, { title: 'Other', editMode: 'live' });
    const section = await site.change('POST', `${site.site}/sections`, { spaceId: added.id, title: 'Other' });
    const group = await site.change('POST', `${site.site}/section-groups`, {
      title: 'Group',
      sections: [section.id],
    });
    const link = await site.change('POST', `${site.site}/share-links`, { name: 'Friends' });
    // Each page load shows several payloads, each in another place; all of them are shown once.
    const titles = linesUpTo(50, 2);
    const PLACES = 9;
    const found: string[] = [];
    for (const [n] of inChunks(titles, PLACES).entries()) {
      const at = (place: number): string => titles[(n * PLACES + place) % titles.length] ?? '';
      await site.change('PATCH', site.site, { title: at(0) });
      await site.change('PUT', `${site.site}/customization`, {
        ...(n % 2 ? { title: at(0) } : {}),
        announcement: {
          enabled: true,
          message: at(1),
          style: 'info',
          link: { title: at(2), to: { kind: 'url', url: 'https://example.org/' } },
        },
        footer: { copyright: at(3), groups: [] },
      });
      await site.change('PATCH', `${site.site}/sections/${section.id}`, { title: at(4), description: at(5) });
      await site.change('PATCH', `${site.site}/section-groups/${group.id}`, { title: at(6) });
      await site.change('PATCH', `/v1/spaces/${idIn(space)}`, { title: at(7) });
      await site.change('PATCH', `${site.site}/share-links/${link.id}`, { name: at(8) });
      found.push(...(await hostileIn([addressOf(site)])));
    }
    expect(found).toEqual([]);
  });

  test('redirect sources, unknown paths and queries', async () => {
    const site = await aPublishedSite(app, side, { title: 'Paths' });
    const { space, siteSpace } = await site.addSpace('Manual');
    await site.contents.edit(space, insert('Welcome', 'Hello.'));
    const addresses: string[] = [];
    for (const payload of payloads) {
      const source = `/${encodeURIComponent(payload).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;
      const destination = { kind: 'site-space', siteSpaceId: siteSpace };
      const answer = await site.contents.call('POST', `${site.site}/redirects`, { source, destination });
      expect(answer.status, `${source} ${answer.text}`).toBeLessThan(500);
      const reached = await site.read(source);
      expect([200, 301, 400, 404], source).toContain(reached.status);
      const { location } = reached.headers;
      expect(new URL(location ?? '/', 'http://octavo.test').host, source).toBe('octavo.test');
      addresses.push(addressOf(site, `/~octavo/search?q=${encodeURIComponent(payload)}`));
    }
    const unknown = payloads
      .slice(0, 20)
      .map((payload) => addressOf(site, `/unknown/${encodeURIComponent(payload)}`));
    expect(await hostileIn([...addresses.filter((_each, n) => n % 8 === 0), ...unknown])).toEqual([]);
  });

  test('results as one types, and comments of readers', async () => {
    const site = await aPublishedSite(app, side, { title: 'Search' });
    const { space } = await site.addSpace('Manual');
    const titles = linesUpTo(100);
    await site.contents.edit(
      space,
      ...titles.slice(0, 50).map((title) => insert(`zebra ${title}`, `zebra ${title}`)),
    );
    const typeIn = async (page: Page) => {
      await page.keyboard.press('Control+k');
      for (const query of ['zebra', ...titles.slice(0, 40)]) {
        await page.locator('dialog input').fill(query);
        await page.waitForResponse((response) => response.url().includes('fragment=1'));
      }
      await page.locator('dialog input').fill('zebra');
      await page.locator('dialog .results a').first().waitFor();
    };
    expect(await hostileIn([addressOf(site)], typeIn)).toEqual([]);
    const form = {
      page: (await site.contents.pages(space))[0].id,
      space: (await site.contents.get(`${site.site}/site-spaces`)).items[0].id,
    };
    for (const comment of payloads.slice(0, 25)) {
      const raw = new URLSearchParams({ ...form, rating: 'bad', comment }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
      const answer = await app.call('POST', `/${site.basename}/~octavo/feedback`, { raw, headers });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(comment);
    }
  });
});
