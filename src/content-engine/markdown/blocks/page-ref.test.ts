import { describe, expect, it } from 'vitest';
import type { BlockNode, ContentRef } from '../../document/index.ts';
import { analyse, editMarkdown, parseDocument, rewriteHrefs } from '../index.ts';

const BODY = 'Before\n\n{% page-ref page="../guide/install.md" %}\n\n{%  page-ref  page=\'b.md\' %}\nAfter\n';

describe('{% page-ref %}', () => {
  it('is read as a content reference, without a warning', () => {
    const { document, warnings } = analyse(BODY);
    expect(warnings).toEqual([]);
    expect(document.nodes.map(({ type, data }) => [type, data])).toEqual([
      ['paragraph', undefined],
      ['content-ref', { ref: { kind: 'url', url: '../guide/install.md' } }],
      ['content-ref', { ref: { kind: 'url', url: 'b.md' } }],
      ['paragraph', undefined],
    ]);
  });

  it('has an href that is resolved and can be replaced', () => {
    const page: ContentRef = { kind: 'page', page: 'install' };
    const document = parseDocument(BODY, { resolve: ({ href }) => (href === 'b.md' ? undefined : page) });
    expect(document.nodes[1]?.data).toEqual({ ref: page });
    const [first] = analyse(BODY).hrefs;
    expect(first).toMatchObject({ href: '../guide/install.md', kind: 'content-ref' });
    if (!first) throw new Error('no address');
    expect(rewriteHrefs(BODY, [{ ...first, href: '../setup.md' }])).toBe(
      BODY.replace('../guide/install.md', '../setup.md'),
    );
  });

  it('keeps its spelling when its target changes, it moves, or something else is edited', () => {
    const document = parseDocument(BODY);
    const [before, one, other, after] = document.nodes as [BlockNode, BlockNode, BlockNode, BlockNode];
    const led = { ...one, data: { ref: { kind: 'url', url: 'c.md' } } } as BlockNode;
    expect(editMarkdown(BODY, { ...document, nodes: [before, led, other, after] })).toBe(
      BODY.replace('../guide/install.md', 'c.md'),
    );
    expect(editMarkdown(BODY, { ...document, nodes: [one, before, other, after] })).toContain(
      '{% page-ref page="../guide/install.md" %}\n\nBefore',
    );
  });

  it('without a page stays verbatim', () => {
    expect(parseDocument('{% page-ref %}').nodes).toMatchObject([{ type: 'code', data: { verbatim: true } }]);
  });
});
