import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { EVERY_NODE } from '../../../../test/every-node.ts';
import { shownBy, specificationOf } from '../../../../test/openapi-parts.ts';
import { FORMULAS } from '../../../../test/formulas.ts';
import { mutate, mutations } from '../../../../test/mutate.ts';
import { parsedNesting, violationsIn, writtenNesting } from '../../../../test/rendered-html.ts';
import { checkDocument, documentOfBlocks, type JSONDocument } from '../../document/index.ts';
import { parseDocument } from '../../markdown/index.ts';
import { element, renderHtml, type HtmlOptions } from './index.ts';

const KNOWN: HtmlOptions = {
  targetOf: (ref) => ({
    href: '/target',
    title: `Title of ${ref.kind}`,
    description: 'About it',
    icon: 'bolt',
  }),
  fileOf: () => ({ src: '/file.png', name: 'file.png', size: 12_345, width: 40, height: 20 }),
  reusableContentOf: () => parseDocument('## Included\n\nText'),
  openapi: shownBy(specificationOf('Text with `code`, <b>tags</b> and\n\n- a list')),
  integration: () => element('p', {}, 'Integration'),
  actionHref: () => '/search',
  externalLinks: 'blank',
};

function expectWellFormed(document: JSONDocument, options: HtmlOptions): void {
  const { html } = renderHtml(document, options);
  expect(violationsIn(html)).toEqual([]);
  expect(parsedNesting(html)).toBe(writtenNesting(html));
  const once = serialize(parseFragment(html));
  expect(serialize(parseFragment(once))).toBe(once);
}

/** Fragments of syntax, combined at random. */
const PIECES = [
  '*', '**', '_', '~~', '`', '[a](b)', '[', '](x)', '![i](p.png)', '![', '<b>', '</b>', '<br>', '<kbd>', '<mark style="color:red;">',
  '</mark>', '&amp;', '&lt;', '# ', '## h\n', '- ', '- [x] ', '1. ', '> ', '| a | b |\n| - | - |\n| c | d |\n', '---\n', '***\n',
  '```js\n', '```\n', '$$', '$$x^2$$', '{% hint style="info" %}\n', '{% endhint %}\n', '{% tabs %}\n{% tab title="t" %}\n',
  '{% endtab %}\n{% endtabs %}\n', '{% stepper %}\n{% step %}\n', '{% endstep %}\n{% endstepper %}\n', '<details>\n<summary>s [l](m)</summary>\n\n',
  '</details>\n', '<a href="x" class="button primary">b</a>', '[n](#user-content-fn-1)[^1]', '\n[^1]: note\n\n    two\n\n', '[x](y.md "mention")',
  '<table><tr><td><ul><li>x [y](z)</li></ul></td></tr></table>\n', '<table data-view="cards"><thead><tr><th>a</th><th data-type="content-ref" data-card-target></th></tr></thead><tbody><tr><td><a href="q">x</a></td><td><a href="p.md">p</a></td></tr></tbody></table>\n',
  '{% columns %}\n{% column %}\n', '{% endcolumn %}\n{% endcolumns %}\n', '{% embed url="https://youtu.be/abc" %}\n', '{% content-ref url="p.md" %}\n[p](p.md)\n{% endcontent-ref %}\n',
  'https://x.org/a?b=c', 'www.x.org', 'a@b.co', 'text ', '\n', '\n\n', '  ', '    ', '<i class="fa-x">:x:</i>', '\\', '<script>', '"', "'", '\0', '\ud800', '漢',
]; // prettier-ignore

describe('rendered HTML', () => {
  it.each([
    ['with nothing known', {}],
    ['with all targets', KNOWN],
  ])('is well formed for every node, %s', (_, options) => {
    expectWellFormed(parseDocument(EVERY_NODE), options);
  });

  it('is well formed for any mixture of syntax', () => {
    const body = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(body, fc.boolean(), (text, known) =>
        expectWellFormed(parseDocument(text), known ? KNOWN : {}),
      ),
      { numRuns: 1000, seed: 20_261_116 },
    );
  });

  it('is well formed for any document that a client may send', () => {
    const { nodes } = parseDocument(EVERY_NODE);
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(), mutations, fc.boolean(), (at, all, known) => {
        const node = nodes[at % nodes.length];
        const checked = checkDocument(mutate(documentOfBlocks(node ? [node] : []), all));
        if (!('document' in checked)) return;
        accepted++;
        expectWellFormed(checked.document, known ? KNOWN : {});
      }),
      { numRuns: 3000, seed: 20_261_116 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  it('is well formed for formulas', () => {
    for (const formula of FORMULAS) {
      const math = { object: 'block', type: 'math', data: { formula } } as const;
      expectWellFormed(documentOfBlocks([math]), {});
    }
  });
});
