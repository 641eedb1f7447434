import { describe, expect, it } from 'vitest';
import { aWork } from '../../../../../test/import-work.ts';
import { aPage, html, redirectTo, respond, serveSite, type Handler } from '../../../../../test/site.ts';
import type { ImportedFolder } from '../../folder/imported-folder.ts';
import { readWebsite } from './read-website.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const png = respond(200, { 'content-type': 'image/png' }, PNG);
const link = (...hrefs: string[]): string =>
  hrefs.map((href) => `<p><a href="${href}">link</a></p>`).join('');
const image = (...urls: string[]): string => urls.map((url) => `<img src="${url}">`).join('');

/** The outline: one line for each page, indented. */
const outlineOf = ({ outline = [] }: ImportedFolder): string[] =>
  outline.map(
    (row) =>
      '- '.repeat(row.depth - 1) +
      (row.type === 'document' ? row.path : row.type === 'group' ? `[${row.title}]` : ''),
  );

const textOf = ({ files }: ImportedFolder, path: string): string => {
  const file = files.find((each) => each.path === path);
  return file && 'bytes' in file ? Buffer.from(file.bytes).toString() : '';
};

/** The reasons by the path of the URL. */
const skippedIn = ({ skipped }: ImportedFolder): Record<string, string> =>
  Object.fromEntries(skipped.map(({ source, reason }) => [source.replace(/^https?:\/\/[^/]*/, ''), reason]));

function expectExactCounts({ found, imported, skippedCount, sources }: ImportedFolder): void {
  expect(imported).toBe(sources.size);
  expect(found).toBe(imported + skippedCount);
}

describe('a website', () => {
  const NAVIGATION = [
    'Start|/docs/',
    'Guide|/docs/guide/',
    '- Install|/docs/guide/install',
    'Reference|/docs/reference.html',
  ];
  const site = {
    '/docs/': aPage(
      'Start',
      link('/docs/extra', '/blog/', '/docs/file.pdf', '/docs/?page=2', 'mailto:a@b.example'),
      NAVIGATION,
    ),
    '/docs/guide/': aPage('Guide', link('install#top', '../reference.html') + image('/logo.png'), NAVIGATION),
    '/docs/guide/install': aPage('Install', image('/logo.png', '/gone.png', '/page.png'), NAVIGATION),
    '/docs/reference.html': aPage('API reference', link('/docs/guide/index.html'), NAVIGATION),
    '/docs/extra': aPage('Extra', link('/docs/gone', '/docs/data'), NAVIGATION),
    '/docs/data': respond(200, { 'content-type': 'application/json' }, '{}'),
    '/logo.png': png,
    '/page.png': html('<p>not an image'),
  };

  it('becomes a folder in the order of its navigation', async () => {
    const served = await serveSite(site);
    const work = aWork();
    const folder = await readWebsite(work, `${served.url}/docs/`);
    expect(outlineOf(folder)).toEqual([
      'README.md',
      'guide.md',
      '- guide/install.md',
      'reference.md',
      'extra.md',
    ]);
    expect(folder.outline?.[3]).toMatchObject({ path: 'reference.md', label: 'Reference' });
    expect(textOf(folder, 'guide.md')).toBe(
      '# Guide\n\nText of Guide.\n\n[link](guide/install.md)\n\n[link](reference.md)\n\n<figure><img src=".gitbook/assets/logo.png" alt=""><figcaption></figcaption></figure>\n',
    );
    expect(textOf(folder, 'reference.md')).toContain('[link](guide.md)');
    expect(textOf(folder, 'README.md')).toContain(`[link](${served.url}/blog/)`);
    expect(folder.sources.get('guide/install.md')).toBe(`${served.url}/docs/guide/install`);
    expect(work.stored.get('logo.png')).toEqual(PNG);
    expect(skippedIn(folder)).toEqual({
      '/docs/gone': 'The remote server returned 404.',
      '/docs/data': 'This is application/json, not a web page.',
      '/gone.png': 'The remote server returned 404.',
      '/page.png': 'is not an image',
    });
    expect(folder).toMatchObject({ found: 10, imported: 6, skippedCount: 4 });
    expect(served.requests.filter((path) => path === '/docs/guide/')).toHaveLength(1);
    expect(served.requests).not.toContain('/docs/file.pdf');
    expect(work.progress.at(-1)).toMatchObject({ found: 10, imported: 6, skipped: 4 });
  });

  it('introduces the client by name, and asks for pages', async () => {
    const seen: (string | undefined)[] = [];
    const served = await serveSite({}, (request, response) => {
      seen.push(request.headers['user-agent'], request.headers.accept);
      html(aPage('A'))(request, response);
    });
    await readWebsite(aWork({ outbound: { userAgent: 'Octavo/1 (+https://o.example)' } }), served.url);
    expect(seen).toContain('Octavo/1 (+https://o.example)');
    expect(seen).toContain('text/html,application/xhtml+xml,text/markdown;q=0.9');
  });

  it('may have pages in Markdown', async () => {
    const markdown = respond(200, { 'content-type': 'text/markdown' }, '# Notes\n');
    const served = await serveSite({ '/': aPage('A', link('/notes.md')), '/notes.md': markdown });
    expect(outlineOf(await readWebsite(aWork(), served.url))).toEqual(['README.md', 'notes.md']);
  });

  it('ends at its own folder, and says where to start for more', async () => {
    const navigation = ['Intro|/docs/intro', 'Next|/docs/next', 'Last|/docs/last'];
    const served = await serveSite({ '/docs/intro': aPage('Intro', '', navigation) });
    const folder = await readWebsite(aWork(), `${served.url}/docs/intro`);
    expect(outlineOf(folder)).toEqual(['README.md']);
    expect(skippedIn(folder)['/docs/']).toContain(`start at ${served.url}/docs/`);
    expect(served.requests).toEqual(['/docs/intro']);
  });

  it('has sections where titles below the root have no page', async () => {
    const navigation = ['[x]', 'Guide|/guide', '- Deploy', '- - Docker|/docker', '- - Cloud|/cloud'];
    const served = await serveSite({
      '/': aPage('Home', '', navigation.slice(1)),
      '/guide': aPage('Guide'),
      '/docker': aPage('Docker'),
      '/cloud': aPage('Cloud'),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(outlineOf(folder)).toEqual([
      'README.md',
      'guide.md',
      '- guide/deploy.md',
      '- - docker.md',
      '- - cloud.md',
    ]);
    expect(folder.outline?.[2]).toMatchObject({ title: 'Deploy' });
    expect(textOf(folder, 'guide/deploy.md')).toBe('');
    expect(folder.imported).toBe(4);
  });

  it('stores images that are in a page', async () => {
    // Smaller ones hold the place of an image that a script loads.
    const picture = Buffer.concat([PNG, Buffer.alloc(200)]);
    const data = `data:image/png;base64,${picture.toString('base64')}`;
    const served = await serveSite({ '/': aPage('A', image(data, 'data:text/html,<p>x', 'data:broken')) });
    const work = aWork();
    const folder = await readWebsite(work, served.url);
    expect(textOf(folder, 'README.md')).toContain('.gitbook/assets/image.png');
    expect(work.stored.get('image.png')).toEqual(picture);
    expectExactCounts(folder);
  });
});

describe('the start URL', () => {
  it.each([
    ['is missing', respond(404), 400, 'The remote server returned 404.'],
    ['fails', respond(500), 400, 'The remote server returned 500.'],
    ['is an image', png, 422, 'This is image/png, not a web page.'],
    ['redirects without a target', respond(302), 400, 'The remote server returned 302.'],
  ])('%s', async (_what, handler, status, message) => {
    const served = await serveSite({ '/docs': handler });
    await expect(readWebsite(aWork(), `${served.url}/docs`)).rejects.toMatchObject({ status, message });
  });

  it('is not text', async () => {
    const served = await serveSite({ '/': html('<p>\0\0\0') });
    await expect(readWebsite(aWork(), served.url)).rejects.toMatchObject({ status: 422 });
  });

  it('is too large', async () => {
    const served = await serveSite({ '/': html('x'.repeat(4 * 1024 * 1024 + 1)) });
    await expect(readWebsite(aWork(), served.url)).rejects.toMatchObject({ reason: 'too-large' });
  });

  it('is forbidden by robots.txt, or redirects to where it is', async () => {
    const robots = respond(200, {}, 'User-agent: *\nDisallow: /private');
    const served = await serveSite({ '/robots.txt': robots, '/docs': redirectTo('/private/docs') });
    for (const path of ['/private', '/docs']) {
      await expect(readWebsite(aWork(), served.url + path)).rejects.toMatchObject({
        status: 422,
        message: expect.stringContaining('robots.txt of 127.0.0.1'),
      });
    }
    expect(served.requests).toEqual(['/docs']);
  });

  it('may redirect to another website, whose robots.txt applies', async () => {
    const other = await serveSite({ '/docs/v2/': aPage('A', link('b', '../v1/')), '/docs/v2/b': aPage('B') });
    const served = await serveSite({ '/docs': redirectTo(`${other.url}/docs/v2/`) });
    expect(outlineOf(await readWebsite(aWork(), `${served.url}/docs`))).toEqual(['README.md', 'b.md']);
    const closed = await serveSite({ '/robots.txt': respond(200, {}, 'User-agent: *\nDisallow: /') });
    const leading = await serveSite({ '/': redirectTo(closed.url) });
    await expect(readWebsite(aWork(), leading.url)).rejects.toMatchObject({ status: 422 });
    expect(closed.requests).toEqual([]);
  });

  it('redirects without end', async () => {
    const served = await serveSite({ '/a': redirectTo('/b'), '/b': redirectTo('/a') });
    await expect(readWebsite(aWork(), `${served.url}/a`)).rejects.toMatchObject({ reason: 'redirects' });
  });

  it('excludes robots, so that nothing is left', async () => {
    const served = await serveSite({ '/': `<meta name="robots" content="noindex">${aPage('A')}` });
    await expect(readWebsite(aWork(), served.url)).rejects.toMatchObject({ status: 422 });
  });
});

describe('URLs of one page', () => {
  it('are requested once, and are aliases', async () => {
    const spellings = ['/a', '/a/', '/a.html', '/a/index.html', '/%61', '/a#part'];
    const served = await serveSite({ '/': aPage('Home', link(...spellings)), '/a': aPage('A') });
    const folder = await readWebsite(aWork(), served.url);
    expect(served.requests).toEqual(['/', '/a']);
    expect(textOf(folder, 'README.md').match(/a\.md/g)).toHaveLength(spellings.length);
    expect(folder).toMatchObject({ found: 2, imported: 2 });
  });

  it('include those that redirect to it', async () => {
    const served = await serveSite({
      '/': aPage('Home', link('/old', '/new', '/older', '/out', '/slash')),
      '/old': redirectTo('/new', 301),
      '/older': redirectTo('/newest'),
      '/out': redirectTo('http://192.0.2.1/'),
      '/slash': redirectTo('/slash/'),
      '/slash/': aPage('Slash'),
      '/new': aPage('New'),
      '/newest': aPage('Newest', link('/older')),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(served.requests.filter((path) => path === '/new')).toHaveLength(1);
    expect(textOf(folder, 'README.md')).toContain('[link](new.md)\n\n[link](new.md)\n\n[link](newest.md)');
    expect(textOf(folder, 'README.md')).toContain('[link](slash.md)');
    expect(skippedIn(folder)).toEqual({ '/out': 'redirects outside of the start URL' });
    expect(folder).toMatchObject({ found: 5, imported: 4 });
  });

  it('include those with the same canonical URL and title', async () => {
    const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
    const served = await serveSite({
      '/': aPage('Home', link('/a', '/a-copy', '/b', '/c'), ['Home|/', 'A|/a']),
      '/a': canonical('/a-real') + aPage('A'),
      '/a-copy': canonical('/a-real') + aPage('A'),
      // One URL in all pages is a mistake that many websites make.
      '/b': canonical('/') + aPage('B'),
      '/c': canonical('http://192.0.2.1/') + aPage('C'),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(outlineOf(folder)).toEqual(['README.md', 'a-real.md', 'b.md', 'c.md']);
    expect(textOf(folder, 'README.md')).toContain('[link](a-real.md)\n\n[link](a-real.md)\n\n[link](b.md)');
    expect(folder).toMatchObject({ found: 4, imported: 4 });
  });

  it('may differ in case, and are two files then', async () => {
    const served = await serveSite({
      '/': aPage('H', link('/Aa', '/aA')),
      '/Aa': aPage('1'),
      '/aA': aPage('2'),
    });
    const { files } = await readWebsite(aWork(), served.url);
    expect(new Set(files.map(({ path }) => path.toLowerCase())).size).toBe(3);
  });
});

describe('robots', () => {
  it('may not read parts of a website, which are counted', async () => {
    const robots = respond(200, {}, 'User-agent: *\nDisallow: /no\nDisallow: /img/');
    const served = await serveSite({
      '/robots.txt': robots,
      '/': aPage('A', link('/no/1', '/yes', '/moved') + image('/img/1.png', '/moved.png')),
      '/yes': aPage('B'),
      '/moved': redirectTo('/no/2'),
      '/moved.png': redirectTo('/img/2.png'),
      '/img/1.png': png,
      '/img/2.png': png,
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(skippedIn(folder)).toEqual({
      '/no/1': 'robots.txt',
      '/moved': 'robots.txt',
      '/img/1.png': 'robots.txt',
      '/moved.png': 'The remote server returned 302.',
    });
    expect(served.requests.toSorted()).toEqual(['/', '/moved', '/moved.png', '/yes']);
  });

  it('may not follow links of a page, or index it', async () => {
    const served = await serveSite({
      '/': aPage('A', link('/b', '/c')),
      '/b': `<meta name="robots" content="nofollow">${aPage('B', link('/d'))}`,
      '/c': `<meta name="robots" content="noindex">${aPage('C', link('/e'))}`,
      '/e': aPage('E'),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(outlineOf(folder)).toEqual(['README.md', 'b.md', 'e.md']);
    expect(served.requests).not.toContain('/d');
  });

  it('wait between requests', async () => {
    const times: number[] = [];
    const page: Handler = (request, response) => {
      times.push(performance.now());
      html(aPage(request.url ?? '', link('/1', '/2')))(request, response);
    };
    const robots = respond(200, {}, 'User-agent: *\nCrawl-delay: 0.2');
    const served = await serveSite({ '/robots.txt': robots, '/': page, '/1': page, '/2': page });
    await readWebsite(aWork(), served.url);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(150);
  });
});

describe('an overloaded server', () => {
  const onceThen = (first: Handler): Handler => {
    let count = 0;
    return (request, response) => (count++ === 0 ? first : html(aPage('B')))(request, response);
  };

  it.each([
    ['503 and Retry-After', respond(503, { 'retry-after': '0' }), 1],
    ['429 and Retry-After', respond(429, { 'retry-after': new Date().toUTCString() }), 1],
    ['500', respond(500), 1],
    ['a cut connection', ((request) => request.socket.destroy()) as Handler, 1],
    ['503 and a long Retry-After', respond(503, { 'retry-after': '3600' }), 0],
    ['429 alone', respond(429), 0],
    ['404', respond(404), 0],
  ])('that answers with %s', async (_what, first, retries) => {
    const served = await serveSite({ '/': aPage('A', link('/b')), '/b': onceThen(first) });
    const folder = await readWebsite(aWork(), served.url);
    expect(served.requests.filter((path) => path === '/b')).toHaveLength(1 + retries);
    expect(folder.imported).toBe(1 + retries);
  });
});

describe('manuals without a navigation', () => {
  const page = (head: string, body: string): Handler =>
    html(`<html><head>${head}</head><body>${body}</body>`);

  it('have the order of the lists of Sphinx, not of the topics beside them', async () => {
    const sphinx = (title: string, text: string, next: string): Handler =>
      page(
        '<link href="/_static/pygments.css">',
        `<div class="document"><div class="body" role="main"><h1>${title}</h1><p>Text.</p>${text}</div></div>` +
          `<div class="sphinxsidebar" role="navigation"><div class="sphinxsidebarwrapper"><h4>Next topic</h4><a href="${next}">Next</a></div></div>`,
      );
    const toc = (...hrefs: string[]): string =>
      `<div class="toctree-wrapper"><ul>${hrefs.map((href) => `<li class="toctree-l1"><a href="${href}">${href}</a></li>`).join('')}</ul></div>`;
    const served = await serveSite({
      '/': sphinx('Manual', `<p><a href="/z.html">z</a></p>`, '/contents.html'),
      '/contents.html': sphinx('Contents', toc('/b.html', '/a.html'), '/b.html'),
      '/a.html': sphinx('A', '', '/z.html'),
      '/b.html': sphinx('B', toc('/b2.html', '/b1.html'), '/b2.html'),
      '/b1.html': sphinx('B1', '', '/a.html'),
      '/b2.html': sphinx('B2', '', '/b1.html'),
      '/z.html': sphinx('Z', '', '/'),
    });
    expect(outlineOf(await readWebsite(aWork(), served.url))).toEqual([
      'README.md',
      'b.md',
      '- b2.md',
      '- b1.md',
      'a.md',
      'contents.md',
      'z.md',
    ]);
  });

  it('have the order of the lists of DocBook', async () => {
    const docbook = (title: string, ...below: string[]): Handler =>
      page(
        '<meta name="generator" content="DocBook XSL Stylesheets">',
        `<div class="navheader"><a href="/">Up</a></div><div class="titlepage"><h1 class="title">${title}</h1></div><p>Text.</p>` +
          `<div class="toc"><dl class="toc">${below.map((href) => `<dt><a href="${href}">${href}</a></dt>`).join('')}</dl></div>`,
      );
    const served = await serveSite({
      '/': docbook('Book', '/two.html', '/one.html'),
      '/one.html': docbook('One'),
      '/two.html': docbook('Two', '/y.html', '/x.html'),
      '/x.html': docbook('X'),
      '/y.html': docbook('Y'),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(outlineOf(folder)).toEqual(['README.md', 'two.md', '- y.md', '- x.md', 'one.md']);
    expect(textOf(folder, 'two.md')).toBe('# Two\n\nText.\n');
  });

  it('have the navigation of mdBook, which may be in a frame, and the first chapter once', async () => {
    const list =
      '<ol class="chapter"><li><a href="one.html"><strong aria-hidden="true">1.</strong> First</a></li><li><a href="two.html">Second</a></li></ol>';
    const frame = '<noscript><iframe class="sidebar-iframe-outer" src="toc.html"></iframe></noscript>';
    const chapter = (text: string): Handler =>
      page('', `<div id="menu-bar"><h1 class="menu-title">Book</h1></div>${frame}<main>${text}</main>`);
    const served = await serveSite({
      '/': chapter('<h1>One</h1><p>Text.</p>'),
      '/one.html': chapter('<h1>One</h1><p>Text.</p>'),
      '/two.html': chapter('<h1>Two</h1><p><a href="/extra.html">extra</a></p>'),
      '/extra.html': chapter('<h1>Extra</h1><p>Text.</p>'),
      '/toc.html': html(`<html class="sidebar-visible"><body class="sidebar-iframe-inner">${list}</body>`),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(outlineOf(folder)).toEqual(['README.md', 'two.md', 'extra.md']);
    expect(folder.outline?.[0]).toMatchObject({ label: 'First' });
    expect(skippedIn(folder)).toEqual({ '/toc.html': 'the page only lists the others' });
    expectExactCounts(folder);
  });

  it('have no page that only leads to another one', async () => {
    const stub = html('<head><meta http-equiv="refresh" content="0; url=/new"></head><p>Redirecting...</p>');
    const served = await serveSite({
      '/': aPage('Home', link('/old')),
      '/old': stub,
      '/new': aPage('New', link('/old')),
    });
    const folder = await readWebsite(aWork(), served.url);
    expect(outlineOf(folder)).toEqual(['README.md', 'new.md']);
    expect(textOf(folder, 'README.md')).toContain('[link](new.md)');
    expectExactCounts(folder);
  });

  it('have a page that loads itself again', async () => {
    const reloading = '<head><meta http-equiv="refresh" content="3; url=/status#now"></head>';
    const served = await serveSite({
      '/': aPage('Home', link('/status')),
      '/status': html(`${reloading}<main><h1>Status</h1><p>All is well.</p></main>`),
    });
    expect(outlineOf(await readWebsite(aWork(), served.url))).toEqual(['README.md', 'status.md']);
  });

  it('include the page behind the only link of a bar', async () => {
    const served = await serveSite({
      '/': html('<nav><a href="/more">More</a></nav><main><h1>Home</h1><p>Text.</p></main>'),
      '/more': html('<nav><a href="/">Home</a></nav><main><h1>More</h1><p>Text.</p></main>'),
    });
    expect(outlineOf(await readWebsite(aWork(), served.url))).toEqual(['README.md', 'more.md']);
  });
});
