import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentOfBlocks, toPublishedForm } from '../../src/content-engine/document/index.ts';
import { parseDocument } from '../../src/content-engine/markdown/index.ts';
import { escapeHtml } from '../../src/platform/http/pages/html.ts';
import { startApp, type TestApp } from '../app.ts';
import { launchBrowser } from '../browser.ts';
import { insert } from '../content.ts';
import { aPublishedSite, HTML, idIn, type PublishedSite } from '../published-site.ts';
import { payloads, payloadsAt, payloadsInNames } from '../hostile-texts.ts';
import { listening } from '../socket.ts';
import { aSide, type Side } from '../world.ts';
import { activeIn, ranIn, ranInFrames, watched, type Watched } from './active-content.ts';

/**
 * Hostile texts in every place where a site shows text, stored through the API. A page shows hundreds of them. What is
 * served is parsed, and must have nothing that could run; then it is loaded in a browser, with its Content-Security-Policy,
 * which must have nothing to refuse, and without it, where everything that got through would run.
 */

let app: TestApp;
let side: Side;
let browser: Browser;
let origin: string;
/** Two pages for all tests, with the policy and without: the process of a new page costs more than most documents. */
let guarded: Watched;
let unguarded: Watched;

beforeAll(async () => {
  // No request leaves the machine.
  const flags = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
  [app, browser] = await Promise.all([startApp(), launchBrowser(flags)]);
  side = await aSide(app, 'alpha');
  origin = `http://127.0.0.1:${(await listening(app)).port}`;
  guarded = await watched(browser, origin, false);
  unguarded = await watched(browser, origin, true);
}, 300_000);
afterAll(() => browser.close());

const addressOf = ({ basename }: PublishedSite, path = '/'): string => `${origin}/${basename}${path}`;

/** Opens addresses with and without the policy; returns what got through. */
async function hostileIn(
  addresses: readonly string[],
  prepare?: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = [];
  for (const { page, requests } of [guarded, unguarded]) {
    const hasPolicy = page === guarded.page;
    for (const address of addresses) {
      const response = await page.goto(address, { waitUntil: 'load' });
      await prepare?.(page);
      const ran = await Promise.all(ownFrames(page).map(ranIn));
      // The document as it was sent, and as the script of the page has left it.
      const active = hasPolicy
        ? [...activeIn((await response?.text()) ?? ''), ...activeIn(await page.content())]
        : [];
      found.push(
        ...[...ran.flat(), ...active].map(
          (what) => `${address}${hasPolicy ? '' : ' without policy'}: ${what}`,
        ),
      );
    }
    found.push(...requests.splice(0));
  }
  return found;
}

/** The page and the frames of diagrams. Frames of other hosts are not loaded. */
const ownFrames = (page: Page) => page.frames().filter((frame) => frame.url().startsWith(origin));

/** The same for documents that were served already, by a name for each. Loaded in frames of a page of the site. */
async function hostileInDocuments(
  site: PublishedSite,
  documents: ReadonlyMap<string, string>,
): Promise<string[]> {
  // Many payloads are not shown: equal documents are loaded once.
  const names = new Map([...documents].map(([name, html]) => [html, name]));
  const distinct = [...names.keys()];
  const found = distinct.flatMap((html) => activeIn(html).map((what) => `${names.get(html)}: ${what}`));
  const { page, requests } = unguarded;
  await page.goto(addressOf(site));
  for (const [n, ran] of await ranInFrames(page, distinct))
    found.push(...ran.map((what) => `${names.get(distinct[n] ?? '')}: ${what}`));
  return [...found, ...requests.splice(0)];
}

/** The API refuses text that is no Unicode, and NUL. */
const isText = (payload: string): boolean => payload.isWellFormed() && !payload.includes('\0');
const textsAt = (place: number): string[] => payloadsAt(place).filter(isText);
const textsInNames = (place: number): string[] => payloadsInNames(place).filter(isText);

/** Titles and names are lines: the API refuses others, and more characters than a field takes. */
const linesAt = (place: number, length: number, min = 1): string[] =>
  textsInNames(place).filter(
    (payload) =>
      payload.length <= length &&
      payload.length >= min &&
      !/\p{Cc}/u.test(payload) &&
      payload.trim() === payload,
  );

const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_each, n) => items.slice(n * size, (n + 1) * size));

/** In the order of the items. A few at a time: requests that wait for PostgreSQL do not wait for each other. */
async function concurrently<T, R>(
  items: readonly T[],
  work: (item: T, n: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const chunk of inChunks([...items.entries()], 10))
    results.push(...(await Promise.all(chunk.map(([n, item]) => work(item, n)))));
  return results;
}

/** A site with one page, `Welcome`. */
async function aSite(title: string): Promise<PublishedSite & { space: string; siteSpace: string }> {
  const site = await aPublishedSite(app, side, { title });
  const added = await site.addSpace('Manual');
  await site.contents.edit(added.space, insert('Welcome', 'Hello.'));
  return { ...site, ...added };
}

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

/** Blocks of payloads in a place. Each is parsed alone, so that none swallows those after it. */
const blocksWith = (place: string) =>
  textsAt(MARKDOWN.indexOf(place)).flatMap((payload) => {
    const source = place
      .replaceAll('@x/y', '\u0001')
      .replaceAll('@', () => payload)
      .replaceAll('\u0001', '@x/y');
    // As a name of a language, the API takes most of them only from Markdown.
    return parseDocument(source).nodes.filter(
      (block) => block.type !== 'code' || /^[\w+#.-]*$/.test(block.data?.syntax ?? ''),
    );
  });

describe('the test', () => {
  test('has many payloads, of which most are lines', () => {
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(400);
    for (const place of MARKDOWN.keys())
      expect(linesAt(place, 50, 2).length).toBeGreaterThanOrEqual(0.7 * payloadsInNames(place).length);
  });

  test('finds them where they are not escaped', async () => {
    const site = await aSite('Watched');
    const around = [
      (text: string) => text,
      (text: string) => `<img title="${text}">`,
      (text: string) => `<a href="${text}">x</a>`,
    ];
    const frame = '<!doctype html><style></style><script></script><script></script><body>';
    const documents = textsAt(0).map((payload) => frame + around.map((each) => each(payload)).join(''));
    expect(documents.filter((html) => activeIn(html).length > 0).length).toBeGreaterThan(
      0.5 * documents.length,
    );
    const { page, close } = await watched(browser, origin, true);
    await page.goto(addressOf(site));
    // After harmless documents, so that frames are used which have shown one.
    const ran = await ranInFrames(page, [...Array.from({ length: 60 }, () => frame), ...documents]);
    expect(ran.size).toBeGreaterThan(0.15 * documents.length);
    expect(Math.min(...ran.keys())).toBeGreaterThanOrEqual(60);
    await close();
    // With the policy, they are refused, which counts as found.
    const refusing = await watched(browser, origin, false);
    await refusing.page.goto(addressOf(site));
    const refused = await ranInFrames(refusing.page, documents.slice(0, 40));
    expect([...refused.values()].flat().join(' ')).toContain('refused: script-src-attr');
    await refusing.close();
  });
});

describe('text of the content', () => {
  let blocks: Awaited<ReturnType<typeof aSite>>;
  beforeAll(async () => void (blocks = await aSite('Blocks')));

  test.each(inChunks(MARKDOWN, 3).map((places, n) => [places.join(' '), places, `blocks-${n}`] as const))(
    'payloads in %j',
    async (_name, places, slug) => {
      const document = toPublishedForm(documentOfBlocks(places.flatMap(blocksWith)));
      await blocks.contents.edit(blocks.space, {
        operation: 'insert_page',
        title: 'Blocks',
        slug,
        document: { document },
      });
      expect(await hostileIn([addressOf(blocks, `/${slug}`)])).toEqual([]);
    },
  );

  test('Markdown of payloads', async () => {
    const site = await aSite('Markdown');
    const texts = textsAt(0);
    const fences = texts.map((payload) => `\`\`\`${payload}\ncode\n\`\`\``);
    await site.contents.edit(
      site.space,
      insert('Blocks', [...texts, ...fences].join('\n\n***\n\n'), { slug: 'blocks' }),
    );
    expect(await hostileIn([addressOf(site, '/blocks')])).toEqual([]);
  });

  test('diagrams, which are drawn', async () => {
    const site = await aSite('Diagrams');
    const labels = linesAt(1, 120).map((payload) => payload.replaceAll(/["`]/g, "'"));
    // Few diagrams: each loads the library in its frame, which takes as long as drawing seventy nodes.
    const diagrams = inChunks(labels, 130).map((some) => {
      const nodes = some.map((label, n) => `n${n}["${label}"] --> n${n + 1}`);
      return `\`\`\`mermaid\nflowchart LR\n${nodes.join('\n')}\n\`\`\``;
    });
    await site.contents.edit(site.space, insert('Drawn', diagrams.join('\n\n'), { slug: 'drawn' }));
    const draw = async (page: Page) => {
      for (const diagram of await page.locator('.diagram').all()) {
        await diagram.scrollIntoViewIfNeeded();
        await diagram.and(page.locator('.drawn')).waitFor();
      }
    };
    expect(await hostileIn([addressOf(site, '/drawn')], draw)).toEqual([]);
  });

  test('titles, labels, descriptions, icons, emoji and tags of pages', async () => {
    const site = await aSite('Titles');
    const titles = linesAt(2, 120);
    const changes = titles.flatMap((text, n) => [
      insert(text, '', { slug: `page-${n}`, ref: `page-${n}`, linkTitle: text, icon: text.slice(0, 50) }),
      insert(text, '', {
        slug: 'below',
        into: `page-${n}`,
        description: text,
        emoji: text.slice(0, 50),
        tags: [text.slice(0, 50)],
      }),
    ]);
    for (const chunk of inChunks(changes, 50)) await site.contents.edit(site.space, ...chunk);
    const read = await concurrently(titles, (_text, n) => site.read(`/page-${n}/below`));
    const documents = new Map(titles.map((text, n) => [text, read[n]?.text ?? '']));
    expect(documents.get('<svg onload=alert(1)>')).toContain(
      '<title>&#60;svg onload=alert(1)&#62; · Titles</title>',
    );
    expect(await hostileInDocuments(site, documents)).toEqual([]);
    const contents = addressOf(site, `/~octavo/contents/${site.siteSpace}`);
    expect(await hostileIn([addressOf(site), contents, `${contents}?from=200`])).toEqual([]);
  });

  test('names and bytes of files', async () => {
    const site = await aSite('Files');
    const bytes = Buffer.from(textsAt(3).join('')).toString('base64');
    const named = linesAt(3, 120).map((text) => `${text.replaceAll(/[^ -~]|[/\\]/g, '-')}.svg`);
    const names = [...new Set(named)];
    for (const chunk of inChunks(names, 20))
      await site.contents.edit(site.space, {
        operation: 'insert_files',
        files: chunk.map((name) => ({ name, base64: bytes })),
      });
    const { files } = await site.contents.get(`${site.space}/content`);
    expect(files.length).toBe(names.length);
    const shown = files.map(({ id }: { id: string }) => `![](/files/${id})\n\n{% file src="/files/${id}" %}`);
    await site.contents.edit(site.space, insert('Files', shown.join('\n\n'), { slug: 'files' }));
    expect(await hostileIn([addressOf(site, '/files')])).toEqual([]);
    const [, src = ''] = /<img[^>]* src="([^"]+)"/.exec((await site.read('/files')).text) ?? [];
    // The address of a file, opened as a page.
    expect(await ranAt(`${origin}${src.replaceAll('&#38;', '&')}`)).toEqual([]);
  });

  /** What runs at the address of a file. One that is downloaded leaves the page empty. */
  async function ranAt(address: string): Promise<unknown> {
    const { page, close } = await watched(browser, origin, false);
    await page.goto(address).catch(() => undefined);
    const ran = await page.evaluate('window.ran ?? []');
    await close();
    return ran;
  }
});

/** Percent-encoded, with the characters that `encodeURIComponent` leaves. */
const encodedPath = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

describe('text of the site', () => {
  test('links of header, footer and menus', async () => {
    const site = await aSite('Links');
    const linkTo = (title: string) => ({ title, to: { kind: 'url', url: 'https://example.org/' } });
    const titles = linesAt(4, 64);
    await site.change('PUT', `${site.site}/customization`, {
      header: {
        links: inChunks(titles, 25).map((some) => ({ ...linkTo(some[0] ?? ''), links: some.map(linkTo) })),
      },
      footer: {
        groups: inChunks(titles, 25).map((some) => ({ title: some[0] ?? '', links: some.map(linkTo) })),
      },
    });
    expect(await hostileIn([addressOf(site)])).toEqual([]);
  });

  test('addresses and names of settings are stored only if they are harmless', async () => {
    const both = (value: string) => ({ light: value, dark: value });
    const settingsWith = (payload: string): object[] => {
      const to = { kind: 'url', url: payload };
      return [
        { header: { links: [{ title: 'x', to, links: [{ title: 'x', to }] }], logo: both(payload) } },
        { header: { links: [{ title: 'x', to, links: [{ title: 'x', to }] }] } },
        {
          favicon: { icon: both(payload) },
          privacyPolicy: { url: payload },
          socialPreview: { url: payload },
        },
        { favicon: { emoji: payload } },
        { styling: { font: { id: 'x', custom: true, fontFamily: payload, fontFaces: [] } } },
        { styling: { primaryColor: both(payload) } },
      ];
    };
    // A site for each of the settings, so that they can be changed at once.
    const sites = await Promise.all(settingsWith('').map(() => aSite('Settings')));
    const documents = new Map<string, string>();
    const change = async (site: PublishedSite, settings: object, payload: string) => {
      const answer = await site.contents.call('PUT', `${site.site}/customization`, settings);
      expect([200, 400], `${payload} ${answer.text}`).toContain(answer.status);
      if (answer.status === 200)
        documents.set(`${payload} ${JSON.stringify(settings)}`, (await site.read('/')).text);
    };
    for (const payload of textsInNames(5)) {
      const settings = settingsWith(payload);
      await Promise.all(sites.map((site, n) => change(site, settings[n] ?? {}, payload)));
    }
    expect(documents.size).toBeGreaterThan(0.7 * textsInNames(5).length);
    expect(
      [...documents].flatMap(([name, html]) => activeIn(html).map((what) => `${name}: ${what}`)),
    ).toEqual([]);
  });

  test('titles of site, spaces, sections and groups, announcement, copyright, share links', async () => {
    const site = await aSite('Names');
    // Several sites at once, which do not wait for each other.
    const parts = await Promise.all(inChunks(linesAt(6, 50, 2), 90).map(documentsNamed));
    const documents = new Map(parts.flatMap((part) => [...part]));
    for (const [[text = '', html = ''] = []] of parts)
      expect(html.split(escapeHtml(text)).length).toBeGreaterThan(8);
    expect(await hostileInDocuments(site, documents)).toEqual([]);
  });

  /** Documents of a site where everything has one name, by that name. */
  async function documentsNamed(texts: readonly string[]): Promise<Map<string, string>> {
    const site = await aSite('Names');
    const spaces = `/v1/orgs/${side.organizationId}/spaces`;
    const added = await site.change('POST', spaces, { title: 'Other', editMode: 'live' });
    await site.contents.edit(`/v1/spaces/${added.id}`, insert('Other', 'Other.'));
    const more = await site.change('POST', spaces, { title: 'More', editMode: 'live' });
    // The first section takes the site space that the site has.
    await site.change('POST', `${site.site}/sections`, { spaceId: more.id, title: 'First' });
    const section = await site.change('POST', `${site.site}/sections`, {
      spaceId: added.id,
      title: 'Other',
    });
    const group = await site.change('POST', `${site.site}/section-groups`, {
      title: 'Group',
      sections: [section.id],
    });
    const link = await site.change('POST', `${site.site}/share-links`, { name: 'Friends' });
    const documents = new Map<string, string>();
    for (const text of texts) {
      const footer = { copyright: text, groups: [{ title: text, links: [] }] };
      const to = { kind: 'url', url: 'https://example.org/' };
      const announcement = { enabled: true, message: text, style: 'info', link: { title: text, to } };
      await Promise.all([
        site.change('PATCH', site.site, { title: text }),
        site.change('PATCH', `/v1/spaces/${idIn(site.space)}`, { title: text }),
        site.change('PATCH', `/v1/spaces/${more.id}`, { title: text }),
      ]);
      await site.change('PUT', `${site.site}/customization`, { announcement, footer });
      await site.change('PATCH', `${site.site}/sections/${section.id}`, { title: text, description: text });
      await site.change('PATCH', `${site.site}/section-groups/${group.id}`, { title: text });
      await site.change('PATCH', `${site.site}/share-links/${link.id}`, { name: text });
      documents.set(text, (await site.read('/')).text);
    }
    return documents;
  }

  test('titles on the page of a closed site', async () => {
    const site = await aPublishedSite(app, side, { title: 'Closed', visibility: 'share-link' });
    const documents = new Map<string, string>();
    for (const text of linesAt(7, 50, 2)) {
      await site.change('PATCH', site.site, { title: text });
      documents.set(text, (await site.read('/')).text);
    }
    expect(await hostileInDocuments(site, documents)).toEqual([]);
  });

  test('unknown paths and queries', async () => {
    const site = await aSite('Paths');
    const unknown = new Map<string, string>();
    const searches = new Map<string, string>();
    const texts = textsInNames(0);
    await concurrently(texts, async (payload) => {
      const encoded = encodedPath(payload);
      const missing = await site.read(
        `/missing/${encoded}?q=${encoded}&from=${encoded}&jwt_token=${encoded}&theme=${encoded}`,
      );
      expect([400, 403, 404], payload).toContain(missing.status);
      if (missing.status === 404) unknown.set(`/missing/${payload}`, missing.text);
      searches.set(
        `?q=${payload}`,
        (await site.read(`/~octavo/search?q=${encoded}&section=${encoded}`)).text,
      );
    });
    expect(unknown.size).toBeGreaterThan(0.85 * texts.length);
    expect(await hostileInDocuments(site, new Map([...unknown, ...searches]))).toEqual([]);
  });

  test('paths of redirects', async () => {
    const site = await aSite('Redirects');
    await concurrently(textsInNames(1), async (payload) => {
      const encoded = encodedPath(payload);
      const destination = { kind: 'site-space', siteSpaceId: site.siteSpace };
      const answer = await site.contents.call('POST', `${site.site}/redirects`, {
        source: `/${encoded}`,
        destination,
      });
      expect(answer.status, `${encoded} ${answer.text}`).toBeLessThan(500);
      const { status, headers } = await site.read(`/${encoded}`);
      expect([200, 301, 400, 404], encoded).toContain(status);
      expect(new URL(headers['location'] ?? '/', 'http://octavo.test').host, encoded).toBe('octavo.test');
    });
  });

  test('results of the search, as a page and as one types', async () => {
    const site = await aSite('Search');
    const titles = linesAt(2, 120);
    const changes = titles.map((text, n) =>
      insert(`zebra${n} ${text}`, `zebra${n} ${text}\n\n## zebra${n} ${text}\n\nzebra${n} ${text}`),
    );
    for (const chunk of inChunks(changes, 50)) await site.contents.edit(site.space, ...chunk);
    const found = await concurrently(titles, (_text, n) => site.read(`/~octavo/search?q=zebra${n}`));
    const documents = new Map(titles.map((text, n) => [text, found[n]?.text ?? '']));
    const inserted = await concurrently(titles, (_text, n) =>
      site.read(`/~octavo/search?q=zebra${n}&fragment=1`),
    );
    const fragments = inserted.map(({ text }) => text).join('');
    expect(fragments.split('<ul class="results">').length).toBe(titles.length + 1);
    expect(await hostileInDocuments(site, documents)).toEqual([]);
    // The script of the page asks for results and inserts them: it is given those of the payloads.
    const typeIn = async (page: Page) => {
      await page.route(/fragment=1/, (route) => route.fulfill({ contentType: 'text/html', body: fragments }));
      await page.keyboard.press('Control+k');
      await page.keyboard.type('zebra');
      await page
        .locator('dialog .results a')
        .nth(titles.length - 1)
        .waitFor({ state: 'attached' });
      await page.unroute(/fragment=1/);
    };
    expect(await hostileIn([addressOf(site)], typeIn)).toEqual([]);
  });

  test('feedback of readers', async () => {
    const site = await aSite('Feedback');
    const [{ id }] = await site.contents.pages(site.space);
    const documents = new Map<string, string>();
    await concurrently(textsInNames(3), async (text) => {
      const raw = new URLSearchParams({
        page: id,
        space: site.siteSpace,
        rating: 'bad',
        comment: text,
        [text]: text,
      }).toString();
      const headers = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await app.call('POST', `/${site.basename}/~octavo/feedback`, { raw, headers });
      expect(answer.status).toBe(200);
      documents.set(answer.text, answer.text);
    });
    expect(await hostileInDocuments(site, documents)).toEqual([]);
  });
});
