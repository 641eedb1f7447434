import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hrefOf } from '../links/index.ts';
import type { BlockNode, JSONDocument } from '../document/index.ts';
import { editMarkdown, parseDocument, toMarkdown } from './index.ts';

const edited = (body: string, change: (block: BlockNode) => void, options = {}): string => {
  const document = structuredClone(parseDocument(body)) as JSONDocument;
  change(document.nodes[0] as BlockNode);
  return editMarkdown(body, document, options);
};

const refOf = (body: string): unknown => {
  const data = parseDocument(body).nodes[0]?.data;
  return data && 'ref' in data ? data.ref : undefined;
};

/** Hrefs without a target in the space, and one that had one. */
const ADDRESSES = [
  'https://a.example/x.pdf',
  '../.gitbook/assets/x.pdf',
  '../.gitbook/includes/x.md',
  '/files/q',
  '/files/a b.pdf',
  '/reusable-content/q',
  '/pages/p',
  './name',
  'octavo:file/q',
  'octavo:page/p',
  'octavo:file/',
];

describe('an href without a target in the space', () => {
  it.each(ADDRESSES)('%s stays when its block is written', (address) => {
    for (const options of [{}, { hrefOf }]) {
      const written = edited(
        `{% file src="${address}" %}\ncaption\n{% endfile %}\n`,
        ({ fragments }) => {
          const [text] = fragments?.[0]?.nodes[0]?.nodes ?? [];
          if (text?.object === 'text') text.leaves = [{ object: 'leaf', text: 'other', marks: [] }];
        },
        options,
      );
      expect(refOf(written)).toEqual(refOf(`{% file src="${address}" %}\n`));
      if (!address.startsWith('octavo:')) expect(written).toContain(`{% file src="${address}" %}\nother`);

      for (const body of [
        `{% include "${address}" %}\n`,
        `<img src="${address}" alt="" class="gitbook-drawing">\n`,
        `{% file src="${address}" %}\n`,
      ]) {
        const again = toMarkdown(parseDocument(body), options);
        if (!address.startsWith('octavo:')) expect(again).toBe(body);
        expect(refOf(again)).toEqual(refOf(body));
      }
    }
  });

  it('is not parsed as an id', () => {
    expect(refOf('{% file src="name" %}')).toEqual({ kind: 'file', file: './name' });
    expect(refOf('{% file src="/files/gone" %}')).toEqual({ kind: 'file', file: 'gone' });
    expect(refOf('{% include "/reusable-content/gone" %}')).toEqual({
      kind: 'reusable-content',
      reusableContent: 'gone',
    });
  });

  it('is stable over reading and writing', () => {
    const address = fc.oneof(
      fc.constantFrom(...ADDRESSES),
      fc.stringMatching(/^[a-z0-9./:# ?=&%-]{1,20}$/),
      fc.stringMatching(/^\/(files|reusable-content)\/[a-z0-9./:-]{0,8}$/),
    );
    fc.assert(
      fc.property(address, fc.constantFrom({}, { hrefOf }), (href, options) => {
        for (const type of ['file', 'drawing', 'reusable-content']) {
          const ref =
            type === 'reusable-content'
              ? { kind: type, reusableContent: href.trim() }
              : { kind: 'file', file: href.trim() };
          if (href.trim() === '') continue;
          const body = toMarkdown(
            {
              object: 'document',
              data: {},
              nodes: [{ object: 'block', type, data: { ref }, isVoid: true } as BlockNode],
            },
            options,
          );
          expect(refOf(body), body).toEqual(ref);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
