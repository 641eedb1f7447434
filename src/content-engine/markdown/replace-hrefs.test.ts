import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../document/index.ts';
import { analyse, hrefsOf, parseDocument, rewriteHrefs } from './index.ts';

const BODY = `
[a](one.md "title") ![b](<two words.png>) <https://three.example> [m](four.md "mention")

> quoted [link
> on two lines](five.md)

<a href="six.md" class="button primary">Go</a> <a href='seven.md'>x</a>

{% content-ref url="eight.md" %}
[eight.md](eight.md)
{% endcontent-ref %}

{% embed url="https://nine.example/?a=1&b=2" %}

{% file src=".gitbook/assets/ten (1).pdf" %}

{% include "../.gitbook/includes/eleven.md" %}

<figure><picture><source srcset="twelve.png" media="(prefers-color-scheme: dark)"><img src="thirteen.png" alt=""></picture><figcaption><p><a href="fourteen.md">c</a></p></figcaption></figure>

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><a href="fifteen.md">x</a></td><td><a href="sixteen.md">y</a></td></tr></tbody></table>

| [a](seventeen.md) |
| --- |
| [a](eighteen.md) |

<details>

<summary><a href="nineteen.md">x</a></summary>

[ref]

</details>

\`[not](a-link.md)\`

{% openapi src="twenty.json" path="/" method="get" %}
{% endopenapi %}

[ref]: <twenty one.md>

Text[^1]

[^1]: [note](twentytwo.md)
`;

describe('hrefsOf', () => {
  it('finds every href in order, with its byte range', () => {
    const hrefs = hrefsOf(BODY);
    expect(hrefs.map(({ href, kind }) => `${kind} ${href}`)).toEqual([
      'link one.md',
      'image two words.png',
      'link https://three.example',
      'mention four.md',
      'link five.md',
      'button six.md',
      'link seven.md',
      'content-ref eight.md',
      'link eight.md',
      'embed https://nine.example/?a=1&b=2',
      'file .gitbook/assets/ten (1).pdf',
      'include ../.gitbook/includes/eleven.md',
      'image twelve.png',
      'image thirteen.png',
      'link fourteen.md',
      'link fifteen.md',
      'content-ref sixteen.md',
      'link seventeen.md',
      'link eighteen.md',
      'link nineteen.md',
      'openapi twenty.json',
      'link twenty one.md',
      'link twentytwo.md',
    ]);
    for (const { start, end, href } of hrefs) expect(BODY.slice(start, end)).toBe(href);
  });

  it('replaces hrefs and changes nothing else', () => {
    // An autolink can only be replaced by another absolute URL.
    const hrefs = hrefsOf(BODY).filter(({ href }) => href !== 'https://three.example');
    const target = 'moved (1) & "new"/páge.md';
    const replaced = rewriteHrefs(
      BODY,
      hrefs.map(({ start, end }) => ({ start, end, href: target })),
    );
    const again = hrefsOf(replaced).filter(({ href }) => href !== 'https://three.example');
    expect(again.map(({ href }) => decodeURI(href))).toEqual(hrefs.map(() => target));
    const restored = rewriteHrefs(
      replaced,
      again.map(({ start, end }, index) => ({ start, end, href: hrefs[index]?.href ?? '' })),
    );
    expect(restored.replaceAll('%20', ' ').replaceAll('\\', '')).toBe(BODY.replaceAll('\\', ''));
    expect(rewriteHrefs(BODY, [])).toBe(BODY);
  });

  it('passes each href to the resolver once, with its range', () => {
    const seen: number[] = [];
    parseDocument(BODY, {
      resolve: ({ start }) => {
        seen.push(start);
        return undefined;
      },
    });
    expect(new Set(seen)).toEqual(new Set(hrefsOf(BODY).map(({ start }) => start)));
  });

  it('has ordered ranges inside the text, for any text', () => {
    const piece = fc.constantFrom(
      '[a](b)',
      '<a href="c">',
      '</a>',
      '> ',
      '* ',
      '\n',
      '\r\n',
      '| ',
      '![x](<y z>)',
      '{% embed url="q" %}\n',
      '<img src="i">',
      '[r]: u\n',
      '[r]',
      '\t',
      '<table><tr><td>',
      '</table>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (parts) => {
        const body = parts.join('');
        let at = 0;
        for (const { start, end } of hrefsOf(body)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeLessThanOrEqual(body.length);
          at = end;
        }
      }),
      { numRuns: 1000, seed: 6 },
    );
  });
});

const PAGE = `Intro text.

## First *heading*

Body one.

{% stepper %}
{% step %}
### A step
In the step with <code class="expression">space.vars.x</code>.
{% endstep %}
{% endstepper %}

## First heading

{% if visitor.claims.unsigned.a === true %}
| Name |
| --- |
| cell |
{% endif %}

##### Deep <a href="#own" id="own"></a>

\`\`\`js
code();
\`\`\`
`;

describe('page contents', () => {
  it('are cut at headings', () => {
    expect(analyse(PAGE).sections).toEqual([
      { id: undefined, title: '', level: 0, text: 'Intro text.' },
      { id: 'first-heading', title: 'First heading', level: 1, text: 'Body one.' },
      { id: 'a-step', title: 'A step', level: 2, text: 'In the step with .' },
      { id: 'first-heading-1', title: 'First heading', level: 1, text: 'Name\ncell' },
      { id: 'own', title: 'Deep', level: 3, text: 'code();' },
    ]);
    expect(analyse(PAGE).headings.map(({ id, level }) => `${id} ${level}`)).toEqual([
      'first-heading 1',
      'a-step 2',
      'first-heading-1 1',
      'own 3',
    ]);
  });

  it('include the titles of code', () => {
    const code = '{% code title="filenameword.js" %}\n```js\nrun();\n```\n{% endcode %}\n';
    expect(analyse(code).sections.map(({ text }) => text)).toEqual(['filenameword.js\nrun();']);
  });

  it('include expressions and conditions', () => {
    expect(analyse(PAGE).expressions).toEqual(['space.vars.x', 'visitor.claims.unsigned.a === true']);
  });

  it('include the words', () => {
    expect(plainText(parseDocument('A **b** [c](d)\n\n* e\n\n> f\n'))).toBe('A b c\ne\nf');
  });
});
