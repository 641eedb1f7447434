import { describe, expect, it } from 'vitest';
import { documentOfBlocks, type BlockNode, type InlineNode } from '../../../document/index.ts';
import { parseDocument } from '../../../markdown/index.ts';
import { renderHtml, type HtmlOptions } from '../index.ts';

const htmlOf = (body: string, options?: HtmlOptions): string => renderHtml(parseDocument(body), options).html;
const inParagraph = (node: InlineNode, options?: HtmlOptions): string => {
  const paragraph: BlockNode = { object: 'block', type: 'paragraph', nodes: [node] };
  return renderHtml(documentOfBlocks([paragraph]), options).html;
};
const svg = (name: string): string => `<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`;

describe('marks', () => {
  it('renders each mark', () => {
    expect(htmlOf('**a** _b_ ~~c~~ `d` <kbd>e</kbd> f<sup>g</sup><sub>h</sub>')).toBe(
      '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code> <kbd>e</kbd> f<sup>g</sup><sub>h</sub></p>',
    );
  });

  it('shares the element of a mark between neighbours', () => {
    expect(htmlOf('**a _b_ `c`** d')).toBe('<p><strong>a <em>b</em> <code>c</code></strong> d</p>');
    expect(htmlOf('_a **b**_')).toBe('<p><em>a <strong>b</strong></em></p>');
  });

  it('renders colours of text and background', () => {
    expect(htmlOf('<mark style="color:red;">a</mark>')).toBe('<p><span data-color="red">a</span></p>');
    expect(htmlOf('<mark style="color:red;background-color:blue;">a</mark>')).toBe(
      '<p><mark data-color="red" data-fill="blue">a</mark></p>',
    );
  });
});

describe('links', () => {
  it('renders addresses that may be followed', () => {
    expect(htmlOf('[a](https://x.org/?b=1&c="d")')).toBe(
      '<p><a href="https://x.org/?b=1&amp;c=&quot;d&quot;">a</a></p>',
    );
    expect(htmlOf('[a](#b)')).toBe('<p><a href="#b">a</a></p>');
    expect(htmlOf('[a](javascript:alert)')).toBe('<p>a</p>');
    expect(htmlOf('[a](https://x.org)', { externalLinks: 'blank' })).toBe(
      '<p><a href="https://x.org" target="_blank" rel="noopener">a</a></p>',
    );
  });

  it('marks links whose target is missing', () => {
    expect(htmlOf('[a](b.md)', { targetOf: () => undefined })).toBe('<p><span class="broken">a</span></p>');
  });

  it('renders marks, images and notes in links, but no other link', () => {
    expect(htmlOf('[**a** ![i](p.png)](/b)')).toMatch(
      /^<p><a href="\/b"><strong>a<\/strong> <img class="inline-image/,
    );
    expect(htmlOf('[see https://x.org](/b)')).toBe('<p><a href="/b">see https://x.org</a></p>');
  });

  it('renders mentions with sign and title', () => {
    const targetOf = () => ({ href: '/p', title: 'A & B', emoji: '1f4a1' });
    expect(htmlOf('[x](p.md "mention")', { targetOf })).toBe(
      '<p><a class="mention" href="/p"><span class="i emoji" aria-hidden="true">💡</span>A &amp; B</a></p>',
    );
    expect(htmlOf('[x](p.md "mention")', { targetOf: () => undefined })).toContain('Missing page');
  });
});

describe('inlines', () => {
  it('renders notes as popovers', () => {
    expect(htmlOf('[noted](#user-content-fn-1)[^1]\n\n[^1]: note [a](/b)')).toBe(
      '<p><button type="button" class="note" popovertarget="~note-1">noted</button>' +
        '<span class="pop" id="~note-1" popover>note <a href="/b">a</a></span></p>',
    );
  });

  it('renders notes of several blocks behind their paragraph, and numbers those without text', () => {
    expect(htmlOf('a[^1]\n\n[^1]: one\n\n    two')).toBe(
      '<p>a<button type="button" class="note" popovertarget="~note-1"><span class="hidden">Footnote </span><sup>1</sup></button></p>' +
        '<div class="pop flow" id="~note-1" popover><p>one</p><p>two</p></div>',
    );
  });

  it('renders images in lines', () => {
    expect(htmlOf('a <img src="i.png" alt="x" data-size="line">')).toContain(
      '<img class="inline-image" src="i.png" alt="x"',
    );
    expect(htmlOf('a ![x](i.png "title")')).toContain(
      '<img class="inline-image original" src="i.png" alt="x" title="title"',
    );
  });

  it('renders emoji, icons and expressions', () => {
    expect(htmlOf('<span data-gb-custom-inline data-tag="emoji" data-code="2728">x</span>')).toBe(
      '<p>✨</p>',
    );
    expect(inParagraph({ object: 'inline', type: 'icon', data: { icon: 'github' } })).toBe(
      `<p>${svg('github')}</p>`,
    );
    expect(htmlOf('a <code class="expression">b.c</code>')).toBe(
      '<p>a <code class="expression">b.c</code></p>',
    );
  });

  it('tells which icons it used, and leaves out those that do not exist', () => {
    const node: InlineNode = { object: 'inline', type: 'icon', data: { icon: 'github' } };
    const paragraph: BlockNode = { object: 'block', type: 'paragraph', nodes: [node] };
    const { html, icons } = renderHtml(documentOfBlocks([paragraph]), {
      iconHref: (name) => `/s.svg#${name}`,
    });
    expect(html).toContain('<use href="/s.svg#github"/>');
    expect([...icons]).toEqual(['github']);
    expect(inParagraph(node, { iconHref: () => undefined })).toBe('<p></p>');
    expect(inParagraph({ ...node, data: { icon: '"><x>' } })).toBe('<p></p>');
  });

  it('renders formulas', () => {
    expect(htmlOf('a $$x^2$$')).toContain('<msup><mi>x</mi><mn class="tml-sml-pad">2</mn></msup>');
  });

  it('renders buttons: links, actions, and paragraphs of them', () => {
    expect(htmlOf('<a href="/u" class="button primary" data-icon="bolt">Go</a>')).toBe(
      `<p class="buttons"><a class="button primary" href="/u">${svg('bolt')}Go</a></p>`,
    );
    const ask =
      'a <button type="button" class="button secondary" data-action="ask" data-query="q">Ask</button>';
    const { html, needs } = renderHtml(parseDocument(ask));
    expect(html).toBe(
      '<p>a <button type="button" class="button needs-js" data-action="ask" data-query="q">Ask</button></p>',
    );
    expect(needs).toContain('action');
    expect(htmlOf(ask, { actionHref: (_, query) => `/search?q=${query}` })).toContain(
      '<a class="button" href="/search?q=q" data-action="ask" data-query="q">Ask</a>',
    );
  });
});

describe('the outline', () => {
  it('has the headings that are in sight, with their ids and their text', () => {
    const body =
      '## A **b** $$c$$\n\n{% stepper %}\n{% step %}\n### D\n{% endstep %}\n{% endstepper %}\n\n' +
      '<details>\n\n<summary>s</summary>\n\n## Folded\n\n</details>\n\n#### E';
    expect(renderHtml(parseDocument(body)).outline).toEqual([
      { id: 'a-b-c', title: 'A b c', level: 1 },
      { id: 'd', title: 'D', level: 2 },
      { id: 'e', title: 'E', level: 3 },
    ]);
  });

  it('never has an id twice, nor one of the page', () => {
    const { html, outline } = renderHtml(parseDocument('## A <a href="#x" id="~content"></a>\n\n## A'));
    expect(html).not.toContain('~content');
    expect(outline.map(({ id }) => id)).toEqual(['a']);
  });
});
