import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, test } from 'vitest';
import {
  LOCALES,
  pageStyle,
  renderAccessPage,
  renderContents,
  renderFeedbackReceived,
  renderNotFound,
  renderPage,
  renderSearchPage,
  serveAsset,
  type Customization,
  type SiteView,
} from '../../src/site/index.ts';
import { DEFAULT_DESIGN, samplePage, sampleSearch, sampleSite, sampleTree } from './sample.ts';

type Element = DefaultTreeAdapterTypes.Element;

function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      found.push(child);
      visit(child);
    }
  };
  visit(parse(html));
  return found;
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

/** A site and page in which every text is `text` and every address is `href`. */
function filledWith(text: string, href: string): string[] {
  const link = { title: text, href };
  const settings: Customization = {
    ...DEFAULT_DESIGN,
    styling: {
      ...DEFAULT_DESIGN.styling,
      primaryColor: { light: text, dark: href },
      tint: { color: { light: text, dark: href } },
      font: {
        id: text,
        fontFamily: text,
        fontFaces: [{ weight: 400, sources: [{ url: href, format: text }] }],
      },
    },
    favicon: { emoji: text },
    header: {
      preset: 'custom',
      logo: { light: href, dark: text },
      backgroundColor: { light: text, dark: text },
    },
    footer: { copyright: text },
    privacyPolicy: { url: href },
    socialPreview: { url: href },
  };
  const icon = { emoji: text };
  const site: SiteView = sampleSite(settings, {
    title: text,
    headerLinks: [
      { ...link, links: [link] },
      { ...link, links: [] },
    ],
    footerGroups: [{ title: text, links: [link] }],
    announcement: {
      message: [
        { text, marks: ['bold'] },
        { href, parts: [{ text, marks: [] }] },
      ],
      style: 'info',
      link,
    },
    preview: { title: text, leaveHref: href },
    sections: [
      { kind: 'section', ...link, icon: { name: text }, isCurrent: true },
      {
        kind: 'group',
        title: text,
        children: [{ kind: 'section', ...link, description: text, icon, isCurrent: false }],
      },
    ],
    variants: [
      { ...link, description: text, language: text, isCurrent: true },
      { ...link, isCurrent: false },
    ],
  });
  const tree = [
    {
      kind: 'page' as const,
      ...link,
      icon,
      method: text,
      isOpen: true,
      children: [{ kind: 'link' as const, ...link }],
    },
    { kind: 'group' as const, title: text, children: [{ kind: 'more' as const, href, count: 3 }] },
  ];
  const part = [{ text, isMatch: true }];
  return [
    renderPage(
      site,
      samplePage({
        title: text,
        description: text,
        icon,
        cover: { light: href, dark: href, yPos: 0, size: 'hero' },
        breadcrumbs: [link],
        tree,
        body: { html: '', outline: [{ id: text, title: text, level: 1 }] },
        tags: [{ label: text, tone: 'info' }],
        previous: link,
        next: link,
        editHref: href,
        markdownHref: href,
        pdfHref: href,
        mcpHref: href,
        feedback: { action: '/docs/~octavo/feedback', fields: { [text.replaceAll(/\W/g, '')]: text } },
        head: {
          isIndexed: true,
          canonical: href,
          alternates: [{ language: text, href }],
          image: { url: href },
          feedHref: href,
        },
      }),
    ),
    renderNotFound(site, tree),
    renderSearchPage(site, {
      query: text,
      count: 1,
      scopes: [
        { ...link, isCurrent: true },
        { ...link, isCurrent: false },
      ],
      results: [
        { ...link, titleParts: part, path: [text], sections: [{ href, title: part, excerpt: part }] },
      ],
    }),
    renderContents(site, {
      title: text,
      breadcrumbs: [link],
      entries: [{ ...link, description: text, icon }],
    }),
    renderAccessPage(site, { reason: 'sign-in', signInHref: href }),
    renderFeedbackReceived(site, href),
  ];
}

const FORBIDDEN_ELEMENT = /^(iframe|object|embed|base|applet|foreignobject)$/i;
const FORBIDDEN_ATTRIBUTE = /^(on.*|style|srcdoc|formaction)$/i;
// oxlint-disable-next-line no-control-regex -- browsers ignore them in URLs
const CONTROL = /[\u0000-\u0020]/g;
const FORBIDDEN_ADDRESS = /^(javascript|vbscript|data:(?!image\/svg))/i;

/** What must hold whatever people type. */
function assertInert(html: string): void {
  const elements = elementsOf(html);
  const problems = elements.flatMap(({ tagName, attrs }) => [
    ...(FORBIDDEN_ELEMENT.test(tagName) ? [tagName] : []),
    ...attrs
      .filter(
        ({ name, value }) =>
          FORBIDDEN_ATTRIBUTE.test(name) ||
          // Browsers ignore control characters in addresses.
          (/^(href|src|action)$/.test(name) && FORBIDDEN_ADDRESS.test(value.replaceAll(CONTROL, ''))),
      )
      .map(({ name, value }) => `${tagName} ${name}=${value}`),
  ]);
  const count = (name: string): number => elements.filter(({ tagName }) => tagName === name).length;
  expect({ problems, scripts: count('script'), styles: count('style') }).toEqual({
    problems: [],
    scripts: 2,
    styles: 1,
  });
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</title><svg onload=alert(1)>',
  '--><script>alert(1)</script>',
  '`${alert(1)}`',
  '&lt;script&gt;',
  'red;}*{background:url(//evil.example)}',
  '\u202Ealert\u0000',
];

const HOSTILE_HREFS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '/docs/"><script>alert(1)</script>',
  'https://example.org/?a="&b=<c>',
];

describe('markup', () => {
  test.each(HOSTILE)('text stays text: %j', (text) => {
    for (const html of filledWith(text, '/docs/x')) assertInert(html);
  });

  test.each(HOSTILE_HREFS)('no address runs: %j', (href) => {
    for (const html of filledWith('text', href)) assertInert(html);
  });

  test('any text and any address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, href) => {
        for (const html of filledWith(text, href)) assertInert(html);
      }),
      { numRuns: 60 },
    );
  });

  test('ids are unique, and every reference has its target', () => {
    const elements = elementsOf(renderPage(sampleSite(), samplePage()));
    const ids = elements.flatMap((element) => attribute(element, 'id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const element of elements) {
      for (const name of ['popovertarget', 'aria-labelledby']) {
        const target = attribute(element, name);
        if (target !== undefined) expect(ids).toContain(target);
      }
      if (element.tagName === 'use') expect(ids).toContain(attribute(element, 'href')?.slice(1));
    }
  });

  test('the style has the hash of the policy', async () => {
    const site = sampleSite();
    const style = elementsOf(renderPage(site, samplePage())).find(({ tagName }) => tagName === 'style');
    const text = style?.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    expect(text).toBe(pageStyle(site).text);
  });

  test('a page that is not indexed says so', () => {
    const robots = '<meta name="robots" content="noindex">';
    expect(renderPage(sampleSite(), samplePage({ head: { isIndexed: false } }))).toContain(robots);
    expect(renderPage(sampleSite(), samplePage())).not.toContain(robots);
  });

  test('a visitor without access learns neither sections nor pages', () => {
    const html = renderAccessPage(sampleSite(), { reason: 'share-link' });
    for (const secret of ['Guides', 'API reference', 'Change requests', 'Source', '2.x', 'See what changed'])
      expect(html).not.toContain(secret);
  });
});

describe('locales', () => {
  test.each(Object.keys(LOCALES))('%s has every word, and no English one is left', (locale) => {
    const words = LOCALES[locale] as unknown as Record<string, string>;
    const english = LOCALES['en'] as unknown as Record<string, string>;
    const holes = (text: string): number => text.split('{}').length;
    for (const [name, text] of Object.entries(english))
      expect(holes(words[name] ?? ''), name).toBe(holes(text));
    const same = Object.keys(english).filter((name) => words[name] === english[name]);
    // Words that several languages share, such as "Menu" and "Site".
    if (locale !== 'en') expect(same.length).toBeLessThan(8);
  });

  test('the interface is in the locale, the page in its own language', () => {
    const html = renderPage(
      sampleSite({ internationalization: { locale: 'de' } }, { language: 'fr' }),
      samplePage(),
    );
    expect(html).toContain('<html lang="fr"');
    expect(html).toContain('War diese Seite hilfreich?');
    expect(html).toContain('12. November 2026');
    expect(html).not.toContain(' dir=');
  });
});

describe('customization', () => {
  const page = (settings: Partial<Customization>): string => renderPage(sampleSite(settings), samplePage());
  const { styling } = DEFAULT_DESIGN;

  test('settings that are switched off leave nothing behind', () => {
    expect(page({ pagination: { enabled: false } })).not.toContain('class="pager"');
    expect(page({ feedback: { enabled: false } })).not.toContain('name="rating"');
    expect(page({ trademark: { enabled: false } })).not.toContain('Published with');
    expect(page({ git: { showEditLink: false } })).not.toContain('Edit this page');
    expect(page({ pdf: { enabled: false } })).not.toContain('Save as PDF');
    expect(page({ pageActions: { externalAI: false, markdown: false, mcp: false } })).not.toContain(
      'class="split"',
    );
    expect(page({ themes: { default: 'dark', toggeable: false } })).not.toContain('data-theme-toggle');
    expect(page({ header: { preset: 'none' } })).not.toContain('class="header"');
  });

  test('words become attributes', () => {
    const html = page({
      styling: {
        ...styling,
        corners: 'straight',
        depth: 'flat',
        links: 'accent',
        icons: 'thin',
        background: 'match',
        sidebar: { background: 'filled', list: 'pill' },
        search: 'subtle',
        theme: 'muted',
      },
    });
    const [root] = elementsOf(html);
    expect(Object.fromEntries(root?.attrs.map(({ name, value }) => [name, value]) ?? [])).toMatchObject({
      'data-corners': 'straight',
      'data-depth': 'flat',
      'data-links': 'accent',
      'data-icons': 'thin',
      'data-background': 'match',
      'data-sidebar': 'filled',
      'data-list': 'pill',
      'data-search': 'subtle',
      'data-style': 'muted',
    });
  });

  test.each([
    ['Inter', 'Inter Variable', 'inter-latin-wght-normal'],
    ['ABCFavorit', 'Inter Variable', 'inter-latin-wght-normal'],
    ['IBMPlexSerif', 'IBM Plex Serif', 'ibm-plex-serif-latin-400-normal'],
    ['Ubuntu', 'Ubuntu', 'ubuntu-latin-700-normal'],
  ])('font %s', (font, family, file) => {
    const site = sampleSite({ styling: { ...styling, font } });
    const { text } = pageStyle(site);
    expect(text).toContain(`--font:"${family}"`);
    const name = new RegExp(`${file}\\.[0-9a-f]+\\.woff2`).exec(text)?.[0] ?? '';
    expect(serveAsset(site.assets, name, '').body.toString('latin1').slice(0, 4)).toBe('wOF2');
  });

  test('links to other sites open as the owner wants', () => {
    expect(page({ externalLinks: { target: 'blank' } })).toContain(
      'href="https://example.org/source" target="_blank" rel="noopener"',
    );
    expect(page({ externalLinks: { target: 'self' } })).not.toContain('_blank');
  });

  test('an unknown icon shows nothing, a known one is in the sprite once', () => {
    const named = (name: string) =>
      renderPage(sampleSite(), samplePage({ icon: { name }, tree: sampleTree }));
    expect(named('no-such-icon-at-all')).not.toContain('no-such-icon');
    expect(named('rocket').match(/<symbol id="n-rocket"/g)).toHaveLength(1);
    // Only in the commercial set: the nearest free one is shown.
    expect(named('books').match(/<symbol id="n-books"/g)).toHaveLength(1);
  });

  test('a passage before the first heading does not repeat the title of its page', () => {
    const [result] = sampleSearch.results;
    if (!result) throw new Error('The sample has no result.');
    const excerpt = [{ text: 'A passage.', isMatch: false }];
    const title = [{ text: result.title, isMatch: true }];
    const results = [{ ...result, sections: [{ href: result.href, title, excerpt }] }];
    const html = renderSearchPage(sampleSite(), { ...sampleSearch, results });
    expect(html).toContain('<small>A passage.</small>');
    expect(html.match(/<b><mark>Merge rules<\/mark><\/b>/g)).toHaveLength(1);
    const empty = [{ ...result, sections: [{ href: result.href, title, excerpt: [] }] }];
    expect(renderSearchPage(sampleSite(), { ...sampleSearch, results: empty })).not.toContain(
      '<small></small>',
    );
  });

  test('results are counted in the locale', () => {
    const site = sampleSite({ internationalization: { locale: 'de' } });
    expect(renderSearchPage(site, { ...sampleSearch, count: 1400 })).toContain('Treffer: 1.400');
  });
});

test('a page without headings has its actions beside the text, but no title of an outline', () => {
  const html = renderPage(sampleSite(), samplePage({ body: { html: '<p>Text.</p>', outline: [] } }));
  expect(html).toContain('Save as PDF');
  expect(html).not.toContain('On this page');
});

describe('assets', () => {
  const { assets } = sampleSite();
  const name = assets.nameOf('reader.css');

  test('are compressed as the browser accepts it, and never change', () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['', undefined],
    ] as const) {
      const answer = serveAsset(assets, name, accepted);
      expect(answer.status).toBe(200);
      expect(answer.headers?.['content-encoding']).toBe(encoding);
      expect(answer.cacheControl).toContain('immutable');
    }
  });

  test.each(['../manifest.json', 'manifest.json', '__proto__', 'reader.css', `${name}.br`, ''])(
    'no other file is served: %j',
    (other) => {
      expect(serveAsset(assets, other, '').status).toBe(404);
    },
  );
});
