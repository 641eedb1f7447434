import { describe, expect, it } from 'vitest';
import { childrenOf, type AnyNode, type InlineNode } from '../document/index.ts';
import { editMarkdown, hrefsOf, parseDocument } from './index.ts';

function* inlinesIn(node: AnyNode): Generator<InlineNode> {
  if (node.object === 'inline') yield node;
  for (const child of childrenOf(node)) yield* inlinesIn(child);
}

const refsIn = (body: string): unknown[] =>
  [...inlinesIn(parseDocument(body))].map((node) => ('ref' in (node.data ?? {}) ? node.data : undefined));

const toUrl = (url: string): unknown => ({ ref: { kind: 'url', url } });

describe('definitions of link references', () => {
  it.each([
    ['[a]:\n/url\n\n[a]'],
    ['[a]: /url\n"title"\n\n[a]'],
    ['[a]: /url "title\nover lines"\n\n[a]'],
    ['[a\nb]: /url\n\n[a b]'],
    ["[a]: /url\r\n'title'\r\n\r\n[a]"],
    ['[a]: </url>\n\n[a]'],
    ['[ẞ]: /url\n\n[SS]'],
  ])('continue over lines: %j', (body) => {
    expect(refsIn(body)).toEqual([toUrl('/url')]);
    expect(hrefsOf(body).map(({ href }) => href)).toEqual(['/url']);
    expect(editMarkdown(body, parseDocument(body))).toBe(body);
  });

  it.each([['[a]: /url "title" more\n\n[a]'], ['[a]:\n\n/url\n\n[a]'], ['[a]: <b\nc>\n\n[a]']])(
    'are text otherwise: %j',
    (body) => {
      expect(refsIn(body)).toEqual([]);
    },
  );

  it('end before a line that is no title', () => {
    const { nodes } = parseDocument('[a]: /url\n"title" more\n\n[a]');
    expect(nodes.map(({ type }) => type)).toEqual(['paragraph', 'paragraph']);
    expect(refsIn('[a]: /url\n"title" more\n\n[a]')).toEqual([toUrl('/url')]);
  });

  it('are one line in containers, whose lines begin with markers', () => {
    expect(refsIn('> [a]: /url\n\n[a]')).toEqual([toUrl('/url')]);
    expect(refsIn('> [a]:\n> /url\n\n[a]')).toEqual([]);
  });

  it('give images their captions', () => {
    expect(refsIn('x ![i][a]\n\n[a]: /i.png "A &amp; B"')).toEqual([
      { ...(toUrl('/i.png') as object), alt: 'i', caption: 'A & B' },
    ]);
  });
});

describe('alternative text', () => {
  it('has no marks, and that of an image in it', () => {
    expect(refsIn('x ![a *b* **c** [d](/e) ![f](g.png)](h.png)')).toEqual([
      { ...(toUrl('h.png') as object), alt: 'a b c d f' },
    ]);
    expect(refsIn('x ![2 * 3](h.png)')).toEqual([{ ...(toUrl('h.png') as object), alt: '2 * 3' }]);
  });
});

describe('names that every object has', () => {
  it.each(['constructor', 'toString', '__proto__', 'valueOf'])(
    'are names of no element or tag: %s',
    (name) => {
      for (const body of [
        `<div><${name}>x</${name}></div>`,
        `x <${name}>y</${name}>`,
        `<table><tr><td><${name}>x</${name}></td></tr></table>`,
        `{% ${name} %}\nx\n{% end${name} %}`,
        `{% tabs %}\n{% ${name} %}\nx\n{% end${name} %}\n{% endtabs %}`,
      ]) {
        const document = parseDocument(body);
        expect(JSON.stringify(document)).toContain('x');
        expect(editMarkdown(body, document)).toBe(body);
      }
    },
  );
});
