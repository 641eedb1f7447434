import { describe, expect, it } from 'vitest';
import {
  fingerprint,
  type BlockNode,
  type JSONDocument,
  type Leaf,
  type TableData,
} from '../document/index.ts';
import { analyse, editMarkdown, parseDocument, toMarkdown } from './index.ts';

const read = (body: string): BlockNode[] => parseDocument(body).nodes;
const only = (body: string): BlockNode => {
  const nodes = read(body);
  expect(nodes).toHaveLength(1);
  return nodes[0] as BlockNode;
};

/** A short notation of blocks, for readable comparisons: `hint{style:info}[p"text"]`. */
function short(node: unknown): string {
  const { object, type, data, nodes, fragments, leaves } = node as Omit<Partial<BlockNode>, 'object'> & {
    object: string;
    leaves?: Leaf[];
  };
  if (object === 'text') {
    return (leaves ?? [])
      .map(({ text, marks }) => `${marks.map((mark) => `${mark.type} `).join('')}${JSON.stringify(text)}`)
      .join('+');
  }
  const inner: unknown[] = [...(nodes ?? []), ...(fragments ?? []).flatMap((one) => one.nodes)];
  const members = Object.entries(data ?? {}).map(
    ([name, value]) => `${name}:${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  const about = members.length > 0 ? `{${members.join(' ')}}` : '';
  return `${type ?? ''}${about}${inner.length > 0 ? `[${inner.map(short).join(' ')}]` : ''}`;
}
const shorts = (body: string): string[] => read(body).map(short);

describe('tags', () => {
  it.each([
    ['{% hint style="warning" icon="x" %}\nA\n{% endhint %}', 'hint{style:warning icon:x}[paragraph["A"]]'],
    ['{% hint style="odd" %}\nA\n{% endhint %}', 'hint{style:info}[paragraph["A"]]'],
    [
      '{% stepper %}\n{% step %}\n### T\nA\n{% endstep %}\n{% endstepper %}',
      'stepper[stepper-step[heading-2["T"] paragraph["A"]]]',
    ],
    [
      '{% tabs %}{% tab title="A" icon="x" %} a {% endtab %}\n{% tab title="B" %}b{% endtab %}{% endtabs %}',
      'tabs[tabs-item{title:A icon:x}[paragraph["a"]] tabs-item{title:B}[paragraph["b"]]]',
    ],
    [
      '{% columns %}\n{% column width="50%" %}\nA\n{% endcolumn %}\n{% endcolumns %}',
      'columns[column{width:{"unit":"%","value":50}}[paragraph["A"]]]',
    ],
    [
      '{% updates format="full" %}\n{% update date="2025-12-25" tags="a,b" %}\nA\n{% endupdate %}\n{% endupdates %}',
      'updates{format:full}[update{date:2025-12-25T00:00:00.000Z tags:[{"kind":"tag","tag":"a"},{"kind":"tag","tag":"b"}]}[paragraph["A"]]]',
    ],
    ['{% if a.b === "c" %}\nA\n{% endif %}', 'if{expression:a.b === "c"}[paragraph["A"]]'],
    [
      '{% prompt description="D" openInAIProviders="true" defaultExpanded="full” %}\n```\na\n```\n{% endprompt %}',
      'prompt{description:D openInAIProviders:true defaultExpanded:full}[code[code-line["a"]]]',
    ],
    [
      '{% code title="t" overflow="wrap" lineNumbers="true" expandable="true" %}\n```js\na\n```\n{% endcode %}',
      'code{syntax:js title:t overflow:wrap lineNumbers:true expandable:true}[code-line["a"]]',
    ],
    ['{% embed url="u" %}', 'embed{url:u}'],
    ['{% embed url="u" %}\ncaption\n{% endembed %}', 'embed{url:u}[paragraph["caption"]]'],
    ['{% file src="f.pdf" %}', 'file{ref:{"kind":"file","file":"f.pdf"}}'],
    [
      '{% content-ref url="p.md" %}\n[p.md](p.md)\n{% endcontent-ref %}',
      'content-ref{ref:{"kind":"url","url":"p.md"}}',
    ],
    ['{% include "x.md" %}', 'reusable-content{ref:{"kind":"reusable-content","reusableContent":"x.md"}}'],
    [
      '{% openapi src="s" path="/p" method="get" %}\n[s](s)\n{% endopenapi %}',
      'swagger{ref:{"kind":"url","url":"s"} path:/p method:get}',
    ],
    [
      '{% swagger src="s" path="/p" method="get" %}\n{% endswagger %}',
      'swagger{ref:{"kind":"url","url":"s"} path:/p method:get}',
    ],
    [
      '{% openapi-operation spec="s" path="/p" method="get" %}\n[x](y)\n{% endopenapi-operation %}',
      'openapi-operation{ref:{"kind":"openapi","spec":"s"} path:/p method:get}',
    ],
    [
      '{% openapi-schemas spec="s" schemas="A,B" grouped="false" %}\n{% endopenapi-schemas %}',
      'openapi-schemas{ref:{"kind":"openapi","spec":"s"} schemas:["A","B"] grouped:false}',
    ],
    [
      '{% @mermaid/diagram content="a\nb" x="[1]" %}',
      'integration{integration:mermaid block:diagram props:{"content":"a\\nb","x":[1]}}',
    ],
  ])('%j', (body, expected) => {
    expect(shorts(body)).toEqual([expected]);
  });

  it('have hrefs with escaped punctuation, as exports write them', () => {
    const body = '{% file src="a/script \\(1\\).ps1" %}';
    const document = parseDocument(body);
    expect(document.nodes[0]).toMatchObject({ data: { ref: { kind: 'file', file: 'a/script (1).ps1' } } });
    const backslash = JSON.parse(
      JSON.stringify(document).replace('script (1)', 'script \\\\(1'),
    ) as JSONDocument;
    expect(parseDocument(toMarkdown(backslash)).nodes[0]).toMatchObject({
      data: { ref: { kind: 'file', file: 'a/script \\(1.ps1' } },
    });
  });

  it('nest in lists and in each other', () => {
    const body =
      '1. Item\n\n   {% hint style="info" %}\n   {% tabs %}\n   {% tab title="A" %}\n   a\n   {% endtab %}\n   {% endtabs %}\n   {% endhint %}\n2. Next';
    expect(shorts(body)).toEqual([
      'list-ordered[list-item[paragraph["Item"] hint{style:info}[tabs[tabs-item{title:A}[paragraph["a"]]]]] list-item[paragraph["Next"]]]',
    ]);
  });

  it('of an embed without an end do not affect what follows', () => {
    expect(shorts('{% embed url="a" %}\n\nText\n\n{% embed url="b" %}\nc\n{% endembed %}')).toEqual([
      'embed{url:a}',
      'paragraph["Text"]',
      'embed{url:b}[paragraph["c"]]',
    ]);
  });
});

describe('unknown syntax', () => {
  it.each([
    ['{% foo a="b" %}\n\nText\n\n{% endfoo %}', 3, 'unknown-block'],
    // A name that every JavaScript object has.
    ['{% constructor %}\n\nText', 2, 'unknown-block'],
    ['{% hint style="info" %}\n\nText', 2, 'unclosed-block'],
    ['{% tab title="x" %}\n\nText\n\n{% endtab %}', 3, 'unknown-block'],
    ['<details>\n\nText', 2, 'unclosed-block'],
    ['<iframe src="x">\n</iframe>', 1, 'unknown-html'],
    ['{% embed %}', 1, 'unknown-block'],
  ])('stays verbatim, and is reported: %j', (body, count, kind) => {
    const { document, warnings } = analyse(body);
    expect(document.nodes).toHaveLength(count);
    expect(document.nodes[0]).toMatchObject({ type: 'code', data: { verbatim: true } });
    expect(warnings[0]).toMatchObject({ kind });
    expect(toMarkdown(document)).toBe(`${body}\n`);
  });

  it('an end tag of details without its `>` is text, like what follows', () => {
    const { nodes } = parseDocument('<details>\n</details \n</details \n\nText\n\n</details>\n\nAfter');
    const [details, after] = nodes;
    expect(nodes).toHaveLength(2);
    expect(JSON.stringify(details).split('</details')).toHaveLength(3);
    expect(JSON.stringify(details)).toContain('Text');
    expect(JSON.stringify(after)).toContain('After');
  });

  it.each(['</details>', '</DETAILS >', '</details\n>', '</details\r\n  > After'])(
    'details end with %j',
    (end) => {
      const { nodes } = parseDocument(`<details>\n\nText\n\n${end}\n\nAfter`);
      expect(nodes.map(({ type }) => type)).toEqual(
        end.endsWith('After') ? ['expandable', 'paragraph', 'paragraph'] : ['expandable', 'paragraph'],
      );
    },
  );

  it('a condition without an end applies to what follows, and is reported', () => {
    const body = 'Before\n\n{% if visitor.claims.a %}\n\nText\n\nMore';
    expect(shorts(body)).toEqual(['paragraph["Before"]', expect.stringMatching(/^if.*"Text".*"More"/)]);
    const { document, warnings } = analyse(body);
    expect(warnings).toMatchObject([{ kind: 'unclosed-block' }]);
    expect(editMarkdown(body, document)).toBe(body);
    expect(editMarkdown(body, { ...document, nodes: document.nodes.slice(0, 1) }).trimEnd()).toBe('Before');
  });

  it('includes blocks deeper than 32 levels', () => {
    const { document, warnings } = analyse(
      '{% hint style="info" %}\n'.repeat(40) + '{% endhint %}\n'.repeat(40),
    );
    expect(warnings.filter(({ kind }) => kind === 'too-deep')).toHaveLength(8);
    expect(document.nodes).toHaveLength(1);
  });
});

describe('HTML', () => {
  it('reads figures with dark variants, captions, sizes and frames', () => {
    expect(
      shorts(
        '<div data-with-frame="true" align="left"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="A" width="375"></picture><figcaption><p>Cap <em>x</em></p></figcaption></figure> <figure><img src="b.png" alt=""><figcaption></figcaption></figure></div>',
      ),
    ).toEqual([
      'images{align:left withFrame:true}[image{ref:{"kind":"url","url":"l.png"} refDark:{"kind":"url","url":"d.png"} alt:A width:375}[paragraph["Cap "+italic "x"]] image{ref:{"kind":"url","url":"b.png"}}]',
    ]);
    expect(shorts('![A](b.png "c")')).toEqual([
      'images[image{ref:{"kind":"url","url":"b.png"} alt:A}[paragraph["c"]]]',
    ]);
    expect(shorts('<img src="x.svg" alt="" class="gitbook-drawing">')).toEqual([
      'drawing{ref:{"kind":"file","file":"x.svg"}}',
    ]);
    expect(shorts('* ![A](b.png)')).toEqual([
      'list-unordered[list-item[paragraph[inline-image{ref:{"kind":"url","url":"b.png"} alt:A}]]]',
    ]);
  });

  it('reads highlighted code', () => {
    expect(
      shorts(
        '<pre class="language-js" data-overflow="wrap"><code class="lang-js">a\n<strong>b &#x3C;c>\n</strong>\nd\n</code></pre>',
      ),
    ).toEqual([
      'code{syntax:js overflow:wrap}[code-line["a"] code-line{highlighted:true}["b <c>"] code-line[""] code-line["d"]]',
    ]);
  });

  it('reads expandables and aligned text', () => {
    expect(shorts('<details open>\n\n<summary>T <b>x</b></summary>\n\nBody\n\n</details>')).toEqual([
      'expandable{defaultExpanded:true}[paragraph["T "+bold "x"] paragraph["Body"]]',
    ]);
    expect(
      shorts(
        '<h3 align="center">T</h3>\n\n<p align="center"><a href="u" class="button secondary" data-icon="i">L</a></p>',
      ),
    ).toEqual([
      'heading-2{align:center}["T"]',
      'paragraph{align:center}[button{label:L kind:secondary icon:i ref:{"kind":"url","url":"u"}}]',
    ]);
  });

  it('reads cards with typed columns', () => {
    const { data, fragments } = only(
      '<table data-view="cards" data-card-size="large"><thead><tr><th>T</th><th>S<select multiple><option value="o1" label="One" color="blue"></option></select></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th><th data-type="checkbox">C</th><th data-type="rating" data-max="5">R</th></tr></thead><tbody><tr><td><h4>Head</h4>Text</td><td><span data-option="o1">One</span></td><td><a href="p.md">p.md</a></td><td data-object-fit="contain"><a href="c.png">c.png</a></td><td>true</td><td>3</td></tr></tbody></table>',
    );
    const { view, definition, records } = data as TableData;
    const [text, select, target, cover, box, rating] = Object.keys(definition) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    expect(view).toEqual({
      type: 'cards',
      cardSize: 'large',
      columns: [text, select, box, rating],
      targetDefinition: target,
      coverDefinition: cover,
    });
    expect(definition[select]).toMatchObject({
      type: 'select',
      multiple: true,
      options: [{ value: 'o1', label: 'One', color: 'blue' }],
    });
    const values = Object.values(records)[0]?.values;
    expect(values).toEqual({
      [text]: fragments?.[0]?.fragment,
      [select]: ['o1'],
      [target]: { kind: 'url', url: 'p.md' },
      [cover]: { ref: { kind: 'url', url: 'c.png' }, objectFit: 'contain' },
      [box]: true,
      [rating]: 3,
    });
    expect(fragments?.map(({ nodes }) => nodes.map(short))).toEqual([
      ['heading-3["Head"]', 'paragraph["Text"]'],
    ]);
  });
});

describe('inlines and plain Markdown', () => {
  it.each([
    ['a **b _c_** ~~d~~ `e`', '"a "+bold "b "+bold italic "c"+" "+strikethrough "d"+" "+code "e"'],
    [
      '<sup><mark style="color:red;">1<mark></sup> and <mark style="color:red;">x</mark>',
      'superscript color "1"+" and "+color "x"',
    ],
    ['<kbd>K</kbd> H<sub>2</sub>O x<sup>2</sup>', 'keyboard "K"+" H"+subscript "2"+"O x"+superscript "2"'],
    ['<mark style="color:orange;background-color:blue;">**m**</mark>', 'bold color "m"'],
    ['[**x**](u)', 'link{ref:{"kind":"url","url":"u"}}[bold "x"]'],
    ['[x](#a)', 'link{ref:{"kind":"anchor","anchor":"a"}}["x"]'],
    ['[x.md](x.md "mention")', 'mention{ref:{"kind":"url","url":"x.md"}}'],
    ['[https://x.org](https://x.org "mention")', 'mention{ref:{"kind":"url","url":"https://x.org"}}'],
    [
      '[The **API**](https://x.org "mention")',
      'link{ref:{"kind":"url","url":"https://x.org"}}["The "+bold "API"]',
    ],
    [
      '<a data-mention href="https://x.org/a?b&amp;c">https://x.org/a?b&amp;c</a> a',
      'mention{ref:{"kind":"url","url":"https://x.org/a?b&c"}} " a"',
    ],
    [
      '<a data-mention href="https://x.org">The API</a> a',
      'link{ref:{"kind":"url","url":"https://x.org"}}["The API"] " a"',
    ],
    ['<a data-mention href="x.md">The page</a> a', 'mention{ref:{"kind":"url","url":"x.md"}} " a"'],
    ['<i class="fa-github">:github:</i> a', 'icon{icon:github} " a"'],
    ['<code class="expression">space.vars.x</code> a', 'expression{expression:space.vars.x} " a"'],
    ['<span data-gb-custom-inline data-tag="emoji" data-code="2728">✨</span> a', 'emoji{code:2728} " a"'],
    ['a $$x^2$$', '"a " inline-math{formula:x^2}'],
    ['a <img src="i" alt="" data-size="line">', '"a " inline-image{ref:{"kind":"url","url":"i"} size:line}'],
    [
      '<a href="u" class="button primary" data-icon="i">L</a>',
      'button{label:L kind:primary icon:i ref:{"kind":"url","url":"u"}}',
    ],
    [
      '<button type="button" class="button secondary" data-action="ask" data-query="q">L</button>',
      'button{label:L kind:secondary action:{"action":"ask","query":"q"}}',
    ],
    ['a\\\nb  \nc\nd<br>e', '"a\\nb\\nc d\\ne"'],
    ['&lt; &#x20;&amp; \\* <your-token>', '"<  & * <your-token>"'],
  ])('%j', (body, expected) => {
    expect(short(only(body))).toBe(`paragraph[${expected}]`);
  });

  it('include footnotes as annotations', () => {
    expect(shorts('a [b](#user-content-fn-1)[^1] c\n\n[^1]: note\n')).toEqual([
      'paragraph["a " annotation["b" paragraph["note"]] " c"]',
    ]);
    expect(shorts('a[^1]\n\n[^1]: note\n\n    more\n')).toEqual([
      'paragraph["a" annotation[paragraph["note"] paragraph["more"]]]',
    ]);
  });

  it('include blocks', () => {
    expect(shorts('* [ ] a\n* [x] b')).toEqual([
      'list-tasks[list-item{checked:false}[paragraph["a"]] list-item{checked:true}[paragraph["b"]]]',
    ]);
    expect(shorts('3. a\n4. b')).toEqual([
      'list-ordered{start:3}[list-item[paragraph["a"]] list-item[paragraph["b"]]]',
    ]);
    expect(shorts('$$\na\n$$\n\n$$b$$')).toEqual(['math{formula:a}', 'math{formula:b}']);
    expect(shorts('# a\n## b\n### c\n#### d\n##### e\n###### f').map((one) => one.slice(0, 9))).toEqual([
      'heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3',
    ]); // prettier-ignore
    expect(shorts('***\n\n---\n\n> a\nb')).toEqual(['divider', 'divider', 'blockquote[paragraph["a b"]]']);
  });

  it('include pipe tables with alignment and escaped pipes', () => {
    const table = only('Text\n| a | b |\n| :-: | --: |\n| `x\\|y` |  |\n'.slice(5));
    expect(fingerprint(table)).toContain('"textAlignment":"center"');
    expect(table.fragments?.map(({ nodes }) => short(nodes[0]))).toEqual(['paragraph[code "x|y"]']);
    expect(read('Text\n| a |\n| - |')).toHaveLength(2);
  });
});

describe('keys and anchors', () => {
  const keysOf = (nodes: readonly BlockNode[]): string[] =>
    nodes.flatMap((node) => [
      node.key ?? '',
      ...keysOf(((node.nodes ?? []) as BlockNode[]).filter((one) => one.object === 'block')),
    ]);
  const BODY = 'One\n\n{% hint style="info" %}\nTwo\n\nThree\n{% endhint %}\n\n* Four\n* Four\n\nOne\n';

  it('are unique, and derived from the text', () => {
    const keys = keysOf(read(BODY));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keysOf(read(BODY))).toEqual(keys);
  });

  it('stay when another block is edited, added or removed', () => {
    const before = new Set(keysOf(read(BODY)));
    for (const edited of [BODY.replace('Three', 'Other'), `New\n\n${BODY}`, BODY.replace('* Four\n', '')]) {
      const lost = [...before].filter((key) => !new Set(keysOf(read(edited))).has(key));
      expect(lost.length).toBeLessThanOrEqual(2);
    }
  });

  it('of headings are those that are written, or else numbered slugs', () => {
    const { headings, anchors } = analyse(
      '## A B\n\n## A b\n\n## C <a href="#a-b" id="a-b"></a>\n\n## 1. Ünï & so\n\n## 漢字\n\n<details>\n\n<summary>A b</summary>\n\nx\n\n</details>',
    );
    expect(headings.map(({ id }) => id)).toEqual(['a-b-1', 'a-b-2', 'a-b', 'id-1.-uni-so', '漢字']);
    expect(anchors.at(-1)).toBe('a-b-3');
    const twice = '## A <a href="#dup" id="dup"></a>\n\n## B <a href="#dup" id="dup"></a>\n\n## Dup 1\n';
    expect(analyse(twice).headings.map(({ id }) => id)).toEqual(['dup', 'dup-1', 'dup-1-1']);
  });
});
