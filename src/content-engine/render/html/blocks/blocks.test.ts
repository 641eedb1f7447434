import { shownBy, specificationOf } from '../../../../../test/openapi-parts.ts';
import { describe, expect, it } from 'vitest';
import type { BlockNode } from '../../../document/index.ts';
import { documentOfBlocks, plainTextNode } from '../../../document/index.ts';
import { parseDocument } from '../../../markdown/index.ts';
import { element, renderHtml, type HtmlOptions } from '../index.ts';

const OPTIONS: HtmlOptions = {
  targetOf: (ref) => {
    switch (ref.kind) {
      case 'url':
        return ref.url === 'missing.md' ? undefined : { href: ref.url };
      case 'anchor':
        return { href: `#${ref.anchor}` };
      case 'page':
        return { href: `/pages/${ref.page}`, title: 'A page', description: 'What it says', icon: 'bolt' };
      case 'tag':
        return { title: ref.tag.toUpperCase(), color: 'green' };
      case 'user':
        return { title: 'Ada' };
      default:
        return undefined;
    }
  },
  fileOf: (ref) =>
    ref.kind === 'url'
      ? { src: ref.url, width: 800, height: 400 }
      : { src: `/files/${ref.file}`, name: 'guide.pdf', size: 1_800_000 },
};

const htmlOf = (body: string, options: HtmlOptions = OPTIONS): string =>
  renderHtml(parseDocument(body), options).html;

const htmlOfBlock = (block: BlockNode, options: HtmlOptions = OPTIONS): string =>
  renderHtml(documentOfBlocks([block]), options).html;

const svg = (name: string, modifier = ''): string =>
  `<svg class="i${modifier}" aria-hidden="true"><use href="#i-${name}"/></svg>`;

describe('text blocks', () => {
  it('renders paragraphs, their alignment and their line breaks', () => {
    expect(htmlOf('One\\\ntwo')).toBe('<p>One<br>two</p>');
    expect(htmlOf('<p align="center">Mid</p>')).toBe('<p class="center">Mid</p>');
  });

  it('renders headings with the id of their anchor, as links to themselves', () => {
    expect(htmlOf('## Größe & Maß')).toBe('<h2 id="große-maß"><a href="#große-maß">Größe &amp; Maß</a></h2>');
    expect(htmlOf('### Two\n\n#### Three')).toBe(
      '<h3 id="two"><a href="#two">Two</a></h3><h4 id="three"><a href="#three">Three</a></h4>',
    );
  });

  it('does not put links of a heading into its own link', () => {
    expect(htmlOf('## See [x](/y)')).toBe(
      '<h2 id="see-x"><a href="#see-x"><span class="hidden">Link to this section</span></a>' +
        '<span>See <a href="/y">x</a></span></h2>',
    );
  });

  it('renders lists, numbers from their start', () => {
    expect(htmlOf('* a\n* b\n\n  3. c')).toBe('<ul><li>a</li><li>b<ol start="3"><li>c</li></ol></li></ul>');
    expect(htmlOf('* a\n\n  b')).toBe('<ul><li><p>a</p><p>b</p></li></ul>');
  });

  it('renders tasks with a name for their state', () => {
    expect(htmlOf('- [x] a\n- [ ] b')).toBe(
      '<ul class="tasks"><li><input type="checkbox" checked disabled aria-label="Done"><span>a</span></li>' +
        '<li><input type="checkbox" disabled aria-label="To do"><span>b</span></li></ul>',
    );
  });

  it('renders quotes and dividers', () => {
    expect(htmlOf('> a\n\n***')).toBe('<blockquote><p>a</p></blockquote><hr>');
  });

  it('renders formulas as MathML, and shows what is no formula as its source', () => {
    const { html, needs } = renderHtml(parseDocument('$$\n\\frac{1}{x}\n$$'));
    expect(html).toMatch(/^<div class="math" tabindex="0"><math display="block"/);
    expect(html).toContain('<mfrac><mn>1</mn><mi>x</mi></mfrac>');
    expect(html).not.toContain('style=');
    expect(needs).toContain('math');
    expect(htmlOf('$$\n\\unknown{x}\n$$')).toBe(
      '<div class="math" tabindex="0"><code class="formula">\\unknown{x}</code></div>',
    );
  });

  it('renders colours of a formula as attributes', () => {
    expect(htmlOf('$$\n\\textcolor{red}{x}\n$$')).toContain('mathcolor="#ff0000"');
  });

  it('renders lines and spaces of tables in formulas as classes', () => {
    const html = htmlOf('$$\n\\begin{array}{l|r} a & b \\\\ \\hline c & d \\end{array}\n$$');
    expect(html).toContain('line-right');
    expect(html).toContain('line-bottom');
    expect(htmlOf('$$\n\\begin{aligned} a &= b \\end{aligned}\n$$')).toContain('tight-left');
  });

  it('shows formulas that would take long as their source', () => {
    const macro = `\\def\\a{${'x'.repeat(250)}}${'\\a'.repeat(100)}`;
    for (const formula of ['x'.repeat(2001), macro, '\\def\\a{\\a\\a}\\a', '{'.repeat(900)])
      expect(htmlOf(`$$\n${formula}\n$$`)).toContain('<code class="formula">');
  });

  it('does not let a formula change the next one', () => {
    const formulas = '$$\n\\gdef\\frac{no}\n$$\n\n$$\n\\frac12\n$$';
    expect(htmlOf(formulas)).toContain('<mfrac>');
  });
});

describe('code', () => {
  it('renders lines with tokens, and a button that copies', () => {
    const { html, needs } = renderHtml(parseDocument('```js\nconst a = "<b>";\n```'));
    expect(html).toBe(
      '<figure class="code"><pre tabindex="0"><code class="language-js"><span class="line">' +
        '<span class="k">const</span> a = <span class="s">&quot;&lt;b&gt;&quot;</span>;\n</span></code></pre>' +
        '<button type="button" class="copy button quiet icon small needs-js" aria-label="Copy code">' +
        `${svg('copy')}${svg('check')}</button></figure>`,
    );
    expect([...needs]).toEqual(['code', 'copy']);
  });

  it('renders title, numbers, wrapped and highlighted lines', () => {
    const html = htmlOf(
      '{% code title="a.txt" lineNumbers="true" overflow="wrap" %}\n```\nx\n```\n{% endcode %}\n\n' +
        '<pre class="language-js"><code class="lang-js"><strong>high\n</strong>low\n</code></pre>',
    );
    expect(html).toContain(`<figcaption>${svg('file')}a.txt<button`);
    expect(html).toContain('aria-label="Copy a.txt"');
    expect(html).toContain('<pre tabindex="0" class="numbers wrap">');
    expect(html).toContain('<span class="line on">high\n</span><span class="line">low\n</span>');
  });

  it('folds the end of expandable code', () => {
    const html = htmlOf('{% code expandable="true" collapsedLineCount="1" %}\n```\na\nb\n```\n{% endcode %}');
    expect(html).toContain('<span class="line">a\n</span><span class="line rest">b\n</span>');
    expect(html).toContain('<label class="unfold"><input type="checkbox">Show all 2 lines</label>');
  });

  it('renders the source of diagrams', () => {
    const { html, needs } = renderHtml(parseDocument('```mermaid\ngraph TD\n```'));
    expect(html).toBe(
      '<figure class="diagram"><pre class="mermaid" tabindex="0"><code>graph TD</code></pre></figure>',
    );
    expect(needs).toContain('mermaid');
    const classOf = (source: string) =>
      /class="(diagram[^"]*)"/.exec(renderHtml(parseDocument(`\`\`\`mermaid\n${source}\n\`\`\``)).html)?.[1];
    expect(classOf('flowchart LR\nA --> B')).toBe('diagram wide');
    expect(classOf(`flowchart LR\n${'A --> B\n'.repeat(9)}`)).toBe('diagram');
  });

  it('shows unknown tags as they are written, and no comments', () => {
    expect(htmlOf('{% unknown %}')).toContain('{% unknown %}');
    expect(htmlOf('<!-- hidden -->')).toBe('');
  });

  it('renders prompts', () => {
    const html = htmlOf('{% prompt description="Ask" icon="star" %}\n```\nDo it\n```\n{% endprompt %}');
    expect(html).toContain(`<figure class="code prompt"><figcaption>${svg('star')}Ask<button`);
    expect(html).toContain('<span class="line">Do it\n</span>');
  });
});

describe('containers', () => {
  it('renders hints with their tone in words', () => {
    expect(htmlOf('{% hint style="danger" %}\na\n{% endhint %}')).toBe(
      `<div class="hint" data-tone="danger">${svg('danger')}<span class="hidden">Danger: </span>` +
        '<div class="flow"><p>a</p></div></div>',
    );
    expect(htmlOf('{% hint icon="books" %}\na\n{% endhint %}')).toContain(svg('books'));
  });

  it('renders tabs as details of one name, the first open, with ids that fragments find', () => {
    const { html, needs } = renderHtml(
      parseDocument(
        '{% tabs %}\n{% tab title="One" icon="x" %}\na\n{% endtab %}\n{% tab title="Two" %}\nb\n{% endtab %}\n{% endtabs %}',
      ),
    );
    expect(html).toBe(
      `<div class="tabs"><details name="~tabs-1" open><summary>${svg('x')}One</summary>` +
        '<div class="panel flow" id="one"><p>a</p></div></details>' +
        '<details name="~tabs-1"><summary>Two</summary><div class="panel flow" id="two"><p>b</p></div></details></div>',
    );
    expect(needs).toContain('tabs');
  });

  it('renders steps', () => {
    expect(htmlOf('{% stepper %}\n{% step %}\n### A\n\nb\n{% endstep %}\n{% endstepper %}')).toBe(
      '<ol class="steps"><li><h3 id="a"><a href="#a">A</a></h3><p>b</p></li></ol>',
    );
  });

  it('renders expandables, whose summary contains no link', () => {
    expect(htmlOf('<details open>\n\n<summary>A <a href="/c">b</a></summary>\n\nd\n\n</details>')).toBe(
      `<details class="expandable" open><summary>${svg('next', ' flip')}<span>A b</span></summary>` +
        '<div class="flow" id="a-b"><p>d</p></div></details>',
    );
  });

  it('renders columns and the width of the first', () => {
    expect(
      htmlOf(
        '{% columns %}\n{% column width="30%" valign="middle" %}\na\n{% endcolumn %}\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
      ),
    ).toBe(
      '<div class="columns" data-width="30"><div class="flow middle"><p>a</p></div><div class="flow"><p>b</p></div></div>',
    );
  });

  it('hides conditions that were not evaluated', () => {
    expect(htmlOf('{% if visitor.claims.x %}\nsecret\n{% endif %}')).toBe('');
  });

  it('renders updates with dates of the locale, and tags', () => {
    const body =
      '{% updates format="full" %}\n{% update date="2026-11-12" tags="new" %}\na\n{% endupdate %}\n{% endupdates %}';
    expect(htmlOf(body)).toBe(
      '<ol class="updates"><li><time datetime="2026-11-12">November 12, 2026</time><div class="flow">' +
        '<p><span class="badge" data-color="green">NEW</span></p><p>a</p></div></li></ol>',
    );
    expect(htmlOf(body, { locale: 'de' })).toContain('12. November 2026');
  });

  it('renders reusable content, but never inside of itself', () => {
    const included = parseDocument('## Same\n\n{% include "/reusable-content/abc" %}');
    const body = '{% include "/reusable-content/abc" %}\n\n## Same';
    expect(htmlOf(body, { reusableContentOf: () => included })).toBe(
      '<h2 id="same-1"><a href="#same-1">Same</a></h2><h2 id="same"><a href="#same">Same</a></h2>',
    );
    expect(htmlOf(body, {})).toBe('<h2 id="same"><a href="#same">Same</a></h2>');
  });

  it('stops to include contents that grow exponentially', () => {
    const contents = Array.from({ length: 12 }, (_, level) =>
      parseDocument(`x\n\n${`{% include "/reusable-content/c${level + 1}" %}\n\n`.repeat(10)}`),
    );
    const [first = parseDocument('')] = contents;
    const { html } = renderHtml(first, {
      reusableContentOf: ({ reusableContent }) => contents[Number(reusableContent.slice(1))],
    });
    expect(html.length).toBeLessThan(1_000_000);
  });
});

describe('images and files', () => {
  it('renders one image with its caption, and keeps its place free', () => {
    expect(htmlOf('![alt](a.png "caption")')).toBe(
      '<figure><img src="a.png" alt="alt" width="800" height="400" decoding="async"><figcaption>caption</figcaption></figure>',
    );
  });

  it('renders size, frame and alignment', () => {
    const figure = (attributes: string, width: string): string =>
      `<div ${attributes}><figure><img src="a.png" alt="" width="${width}"><figcaption></figcaption></figure></div>`;
    expect(htmlOf(figure('data-with-frame="true" data-full-width="true"', '200'))).toContain(
      '<figure class="frame full sized"><img src="a.png" alt="" width="200" height="100"',
    );
    expect(htmlOf(figure('align="right"', '33%'))).toContain('<figure class="end" data-width="35">');
  });

  it('renders an image for each theme', () => {
    const html = htmlOf(
      '<figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="a.png" alt="x"></picture></figure>',
    );
    expect(html).toContain('<img class="light" src="a.png" alt="x"');
    expect(html).toContain('<img class="dark" src="d.png" alt="x"');
  });

  it('renders several images beside each other, and loads those after the first later', () => {
    const html = htmlOf(
      '<div><figure><img src="a.png" alt=""></figure> <figure><img src="b.png" alt=""></figure></div>',
    );
    expect(html).toMatch(/^<div class="images"><figure>.*<\/figure><figure>.*<\/figure><\/div>$/);
    expect(html.match(/loading="lazy"/g)).toHaveLength(1);
  });

  it('shows the text of a missing image', () => {
    expect(htmlOf('![alt](a.png)', { fileOf: () => undefined })).toBe(
      '<figure><span class="missing">alt</span></figure>',
    );
  });

  it('renders drawings', () => {
    expect(htmlOf('<img src="d.svg" alt="" class="gitbook-drawing">')).toContain('<figure><img src="/files/');
  });

  it('renders files with kind and size, or what is missing', () => {
    expect(htmlOf('{% file src="f.pdf" %}\nwords\n{% endfile %}')).toBe(
      `<figure class="file"><a class="row" href="/files/f.pdf" download>${svg('file')}<span><b>guide.pdf</b>` +
        `<small>PDF, 1.8 MB</small></span>${svg('download')}</a><figcaption>words</figcaption></figure>`,
    );
    const small = htmlOf('{% file src="f.pdf" %}', {
      fileOf: () => ({ src: '/f', name: 'f.txt', size: 15 }),
    });
    expect(small).toContain('<small>TXT, 15 bytes</small>');
    expect(htmlOf('{% file src="f.pdf" %}', {})).toContain('Missing file');
  });
});

describe('references', () => {
  it('renders content references as rows, or what is missing', () => {
    const block: BlockNode = {
      object: 'block',
      type: 'content-ref',
      data: { ref: { kind: 'page', page: 'p' } },
    };
    expect(htmlOfBlock(block)).toBe(
      `<a class="row" href="/pages/p">${svg('bolt')}<span><b>A page</b><small>What it says</small></span>${svg('right', ' flip')}</a>`,
    );
    expect(htmlOfBlock(block, {})).toContain('Missing page');
  });

  it('renders embeds as links, and those of known hosts as folded frames', () => {
    const { html, frames, needs } = renderHtml(
      parseDocument('{% embed url="https://www.youtube.com/watch?v=abc-_1&t=5" %}\ncaption\n{% endembed %}'),
    );
    expect(html).toContain('<figure class="embed-block"><details class="frame-embed"><summary>');
    expect(html).toContain(
      '<iframe src="https://www.youtube-nocookie.com/embed/abc-_1" title="youtube.com" loading="lazy"',
    );
    expect(html).toContain('<figcaption>caption</figcaption>');
    expect([...frames]).toEqual(['https://www.youtube-nocookie.com']);
    expect(needs).toContain('embed');
    const link = renderHtml(parseDocument('{% embed url="https://example.org/x" %}'));
    expect(link.html).toMatch(/^<a class="row embed" href="https:\/\/example.org\/x">/);
    expect(link.frames.size).toBe(0);
  });

  it.each([
    ['https://youtu.be/abc', 'https://www.youtube-nocookie.com/embed/abc'],
    ['https://vimeo.com/123', 'https://player.vimeo.com/video/123?dnt=1'],
    ['https://www.loom.com/share/abc', 'https://www.loom.com/embed/abc'],
    ['https://codepen.io/ada/pen/xyz', 'https://codepen.io/ada/embed/xyz'],
    ['https://codesandbox.io/s/abc', 'https://codesandbox.io/embed/abc'],
    ['https://stackblitz.com/edit/abc?file=x', 'https://stackblitz.com/edit/abc?embed=1'],
    ['https://open.spotify.com/track/abc', 'https://open.spotify.com/embed/track/abc'],
    ['https://www.figma.com/file/abc/Title', 'https://embed.figma.com/design/abc?embed-host=octavo'],
  ])('shows %s in a frame', (url, src) => {
    expect(htmlOf(`{% embed url="${url}" %}`)).toContain(`<iframe src="${src}"`);
  });

  it('renders operations with their path, and what a specification says of them', () => {
    const body = '{% openapi-operation spec="s" path="/a/{b}" method="post" %}\n{% endopenapi-operation %}';
    const line =
      '<div class="api-path"><span class="method" data-tone="success">POST</span><code>/a/<var>{b}</var></code></div>';
    expect(htmlOf(body)).toBe(`<section class="api full">${line}</section>`);
    const html = htmlOf(body, { openapi: shownBy(specificationOf('Words')) });
    expect(html).toMatch(/<h2 id="words"><a href="#words">Words<\/a><\/h2>/);
    expect(html).toContain('<span>https://Words.example.com/Words</span>/pets/<var>{id}</var>');
    expect(html).toContain('<code>friends</code><small>array of Pet</small>');
    expect(htmlOf(body, { openapi: () => ({ spec: 's', views: [undefined] }) })).toBe(
      `<section class="api full">${line}<p class="removed">This operation is no longer part of the specification s.</p></section>`,
    );
  });

  it('renders webhooks, schemas and older OpenAPI blocks', () => {
    expect(
      htmlOf('{% openapi-webhook spec="s" name="n" method="post" %}\n{% endopenapi-webhook %}'),
    ).toContain('<code>n</code>');
    expect(htmlOf('{% openapi-schemas spec="s" schemas="A,B" %}\n{% endopenapi-schemas %}')).toContain(
      '<ul><li><code>A</code></li><li><code>B</code></li></ul>',
    );
    const { html, needs } = renderHtml(
      parseDocument('{% openapi src="s.yaml" path="/" method="get" %}\n[s.yaml](s.yaml)\n{% endopenapi %}'),
    );
    expect(html).toContain('<p><a href="s.yaml">s.yaml</a></p>');
    expect(needs).toContain('openapi');
  });

  it('renders what an integration shows, or its address', () => {
    const body = '{% @name/block url="https://x.org/y" %}';
    expect(htmlOf(body)).toContain('<a class="row" href="https://x.org/y">');
    expect(htmlOf(body, { integration: ({ data }) => element('b', {}, data.block) })).toBe(
      '<div class="integration"><b>block</b></div>',
    );
  });
});

describe('blocks without their container', () => {
  it.each(['list-item', 'tabs-item', 'stepper-step', 'column', 'update'] as const)('renders %s', (type) => {
    const paragraph = { object: 'block', type: 'paragraph', nodes: [plainTextNode('a')] } as const;
    const block = { object: 'block', type, nodes: [paragraph] } as unknown as BlockNode;
    expect(htmlOfBlock(block)).toBe('<p>a</p>');
  });

  it('renders lines of code and images', () => {
    const line: BlockNode = { object: 'block', type: 'code-line', nodes: [plainTextNode('a')] };
    expect(htmlOfBlock(line)).toBe('<p>a</p>');
    const image: BlockNode = { object: 'block', type: 'image', data: { ref: { kind: 'url', url: 'a.png' } } };
    expect(htmlOfBlock(image)).toContain('<img src="a.png"');
  });
});
