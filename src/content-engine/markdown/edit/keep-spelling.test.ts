import { describe, expect, it } from 'vitest';
import {
  plainTextNode,
  sameDocument,
  type BlockNode,
  type ContentRef,
  type Href,
  type InlineNode,
  type JSONDocument,
  type Leaf,
  type ListBlock,
  type ListItemBlock,
  type ParagraphBlock,
  type TextNode,
} from '../../document/index.ts';
import { editMarkdown, parseDocument } from '../index.ts';

/** An edit changes only the edited part, and keeps details that the document does not represent. */

const resolve = ({ href }: Href): ContentRef | undefined => {
  const page = /^(\w+)\.md$/.exec(href)?.[1] ?? /^\/pages\/id-(\w+)$/.exec(href)?.[1];
  return page === undefined ? undefined : { kind: 'page', page: `id-${page}` };
};
const hrefOf = (ref: ContentRef): string | undefined =>
  ref.kind === 'page' ? `/pages/${ref.page}` : undefined;

/** The body after an edit of its document; it must parse to the edited document. */
function edit(body: string, change: (nodes: BlockNode[]) => BlockNode[] | void): string {
  const document = JSON.parse(JSON.stringify(parseDocument(body, { resolve }))) as JSONDocument;
  const edited = { ...document, nodes: change(document.nodes) ?? document.nodes };
  const result = editMarkdown(body, edited, { resolve, hrefOf });
  expect(sameDocument(parseDocument(result, { resolve }), edited)).toBe(true);
  return result;
}

/** Replaces the first string of the document that equals `from`. */
const replaceString =
  (from: string, to: string) =>
  (nodes: BlockNode[]): BlockNode[] => {
    const text = JSON.stringify(nodes);
    expect(text).toContain(`"${from}"`);
    return JSON.parse(text.replace(`"${from}"`, `"${to}"`)) as BlockNode[];
  };

const INSIDE = `para *one*

<!-- keep me -->

- x
- y

| a | b |
|:--|--|
| 1 | 2 |

[l](https://x.example "T")`;

const DETAILS = `<details>

<summary>s</summary>

${INSIDE}

</details>`;

describe('an edit of a container itself keeps its content:', () => {
  it.each([
    ['a summary', `${DETAILS}\n`, '<summary>s<', '<summary>sum<', replaceString('s', 'sum')],
    [
      'the title of a tab',
      `{% tabs %}\n{% tab title="A" x="y" %}\n${INSIDE}\n{% endtab %}\n{% endtabs %}\n`,
      'title="A" x="y"',
      'title="B" x="y"',
      replaceString('A', 'B'),
    ],
    [
      'the style of a hint',
      `{% hint x="y" style="info" %}\n${INSIDE}\n{% endhint %}\n`,
      'info',
      'danger',
      replaceString('info', 'danger'),
    ],
    [
      'the width of a column',
      `{% columns %}\n{% column width="50%" %}\n${INSIDE}\n{% endcolumn %}\n{% endcolumns %}\n`,
      '50%',
      '30%',
      ([columns]: BlockNode[]) => {
        const [column] = (columns as BlockNode).nodes as [BlockNode];
        column.data = { ...column.data, width: { value: 30, unit: '%' } };
      },
    ],
    [
      'the open attribute',
      `${DETAILS}\n`,
      '<details>',
      '<details open>',
      ([details]: BlockNode[]) => {
        (details as BlockNode).data = { defaultExpanded: true };
      },
    ],
    [
      'a checked task',
      '- [ ]  a\n  - *b*\n\n  <!-- c -->\n- [x] d\n',
      '[ ]  a',
      '[x]  a',
      ([list]: BlockNode[]) => {
        const [item] = (list as BlockNode).nodes as [BlockNode];
        item.data = { checked: true };
      },
    ],
    [
      'a hint in a quote',
      '> {% hint style="info" %}\n>*b*\n> <!-- c -->\n> {% endhint %}\n',
      'info',
      'danger',
      replaceString('info', 'danger'),
    ],
  ])('%s', (_name, body, from, to, change) => {
    expect(edit(body, change)).toBe(body.replace(from, to));
  });

  it('the start of a list', () => {
    const start = (nodes: BlockNode[]): void => {
      (nodes[0] as BlockNode).data = { start: 5 };
    };
    expect(edit('1) a\n2) b\n\n   *c*\n3) d\n', start)).toBe('5) a\n6) b\n\n   *c*\n7) d\n');
    expect(edit('1. a\n1. *b*\n', start)).toBe('5. a\n5. *b*\n');
  });

  it('a removed first item of a list', () => {
    const shift = ([list]: BlockNode[]): void => {
      list?.nodes?.shift();
    };
    expect(edit('1. a\n2. *b*\n3. *c*\n', shift)).toBe('1. *b*\n3. *c*\n');
  });
});

describe('the removal of a block keeps its neighbours:', () => {
  it('two lists that become adjacent', () => {
    const body = '- a *x*\n\ntext\n\n- b\n\n<!-- c -->\n';
    expect(edit(body, ([a, , b]) => [a, b] as BlockNode[])).toBe(body.replace('text', '<!---->'));
  });

  it('the block after a list whose last item is removed', () => {
    const pop = ([list]: BlockNode[]): void => {
      list?.nodes?.pop();
    };
    expect(edit('-   *a*\n-   b\n\ntext *c*\n', pop)).toBe('-   *a*\n\ntext *c*\n');
    expect(edit('> *a*\n>\n> b\n\ntext *c*\n', pop)).toBe('> *a*\n>\n\ntext *c*\n');
  });

  it('a list that would absorb another neighbour', () => {
    const result = edit('*a*\n\n- b\n\n## h\n\n    code\n\n*c*\n', ([a, list, , code, c]) => {
      return [a, list, code, c] as BlockNode[];
    });
    expect(result).toBe('*a*\n\n* b\n\n```\ncode\n```\n\n*c*\n');
  });
});

describe('a moved block keeps its bytes', () => {
  it('after its neighbour', () => {
    const body = `p1\n\n${DETAILS}\n\np2\n`;
    expect(edit(body, ([p1, details, p2]) => [p1, p2, details] as BlockNode[])).toBe(
      `p1\n\np2\n\n${DETAILS}\n`,
    );
  });

  it('except for edits inside it', () => {
    const edited = (block: BlockNode | undefined, from: string, to: string): BlockNode =>
      replaceString(from, to)([block as BlockNode])[0] as BlockNode;
    const body = `p1\n\n${DETAILS}\n\np2\n`;
    expect(edit(body, ([p1, details, p2]) => [p1, p2, edited(details, 'one', 'two')] as BlockNode[])).toBe(
      `p1\n\np2\n\n${DETAILS.replace('one', 'two')}\n`,
    );
    const reordered = edit('*a* <!-- 1 -->\n\n*b* <!-- 2 -->\n', ([a, b]) => [
      edited(b, 'b', 'd'),
      edited(a, 'a', 'c'),
    ]);
    expect(reordered).toBe('*d* <!-- 2 -->\n\n*c* <!-- 1 -->\n');
  });

  it('in another container, and as an item', () => {
    const hint = (nodes: BlockNode[]): BlockNode => ({
      object: 'block',
      type: 'hint',
      data: { style: 'info' },
      nodes,
    });
    expect(edit('*a*  b\n\n- x\n', (nodes) => [hint(nodes)])).toBe(
      '{% hint style="info" %}\n*a*  b\n\n- x\n{% endhint %}\n',
    );
    const reordered = edit('-   a\n-   b *x*\n-   c\n', ([list]) => {
      const { nodes = [] } = list as ListBlock;
      nodes.push(nodes.shift() as ListItemBlock);
    });
    expect(reordered).toBe('-   b *x*\n-   c\n-   a\n');
  });
});

describe('an edited text keeps its spelling:', () => {
  it.each([
    ['links to pages', 'see [teams](teams.md) and *wordy* x\n'],
    ['the text of a link', 'see [wordy *x*](teams.md) and more\n'],
    ['a reference', 'see [teams][t] and wordy\n\n[t]: teams.md\n'],
    ['titles of links', 'a [l](https://x.example "T") wordy\n'],
    ['fences', '~~~~js title="x.js" {1,3}\na wordy\n\tc\n~~~~\n'],
    ['levels', '##### wordy\n'],
    ['the top level', '# wordy\n'],
    ['closed headings', '## The wordy ##\n'],
    ['underlined headings', 'The wordy\n===\n'],
    ['embeds', '{% embed url="https://a.b/wordy" x="y" %}\n'],
    ['images', '<figure><img class="k" src="a.png" alt="wordy"><figcaption></figcaption></figure>\n'],
    ['Markdown images', '![wordy *x*](<a b.png> "T")\n'],
    ['buttons', '<a href="https://a.b" class="button primary" target="_blank">wordy</a> x\n'],
    ['code', '{% code title="a" x="y" %}\n```js {1}\nwordy\n```\n{% endcode %}\n'],
    ['HTML code', '<pre class="language-js" data-title="T"><code>a <b>x</b>\nwordy\n</code></pre>\n'],
    ['indented code', 'x\n\n    a\n      wordy\n\n    c\n'],
    ['the title of code', '{% code title="wordy" x="y" %}\n```js {1}\nx\n```\n{% endcode %}\n'],
    ['quotes', '> a *b*\n>c <!-- x -->\nlazy\n> d <u>wordy</u>\n'],
    ['Windows lines', '> a *b*\r\n>c <!-- x -->\r\n> wordy\r\n'],
  ])('%s', (_name, body) => {
    const change = (text: string): string => text.replace('wordy', 'wordier x');
    const result = edit(body, (nodes) => JSON.parse(change(JSON.stringify(nodes))) as BlockNode[]);
    expect(result).toBe(change(body));
  });

  it('hrefs, also of an added link', () => {
    const result = edit('see [teams](teams.md)\n\nx *y*\n', ([first, second]) => {
      const link = {
        object: 'inline',
        type: 'link',
        data: { ref: { page: 'id-teams', kind: 'page' } },
      } as const;
      (second as ParagraphBlock).nodes?.push({ ...link, nodes: [plainTextNode('them')] });
      return [first, second] as BlockNode[];
    });
    expect(result).toBe('see [teams](teams.md)\n\nx *y*[them](teams.md)\n');
  });

  const UNKNOWN_INLINES =
    'Some <span class="foo">inner</span> and <u>under</u> text <!-- c --> x <a id="anc"></a> y\n';

  it.each([
    ['Some', 'Same'],
    ['inner', 'outer'],
    ['under', 'over'],
    [' y', ' y z'],
  ])('unknown inlines, when %j is edited', (from, to) => {
    const edited = edit(
      UNKNOWN_INLINES,
      (nodes) => JSON.parse(JSON.stringify(nodes).replace(from, to)) as BlockNode[],
    );
    expect(edited).toBe(UNKNOWN_INLINES.replace(from, to));
  });

  it('unknown inlines, when all words around them are removed', () => {
    const result = edit(UNKNOWN_INLINES, ([paragraph]) => {
      (paragraph as BlockNode).nodes = [
        { object: 'text', leaves: [{ object: 'leaf', text: 'new', marks: [] }] },
      ];
    });
    for (const piece of ['<span class="foo">', '</span>', '<!-- c -->', '<a id="anc"></a>']) {
      expect(result).toContain(piece);
    }
  });

  it('unknown inlines, when the old spelling does not fit the new marks', () => {
    const result = edit('some *odd* words __here__ <!-- c --> x\n', ([paragraph]) => {
      const [text] = (paragraph as BlockNode).nodes as [TextNode];
      (text.leaves[0] as Leaf).marks = [{ object: 'mark', type: 'bold' }];
    });
    expect(result).toBe('**some&#x20;**_odd_ words **here** <!-- c --> x\n');
  });

  it('content after an unclosed tag', () => {
    const body = '{% embed url="https://a.b" %}\n\ntext *b*\n\n<!-- c -->\n\n- x\n';
    expect(edit(body, replaceString('x', 'y'))).toBe(body.replace('- x', '- y'));
    expect(edit(body, replaceString('https://a.b', 'https://a.c'))).toBe(body.replace('a.b', 'a.c'));
  });

  it('neighbours of a node that Markdown cannot express', () => {
    const document = parseDocument('*a* b\n\n*c* <!-- d --> e\n');
    (document.nodes[0] as BlockNode).data = { unheard: 'of' };
    const text = editMarkdown('*a* b\n\n*c* <!-- d --> e\n', {
      ...document,
      nodes: replaceString('  e', '  f')(document.nodes),
    });
    expect(text).toBe('*a* b\n\n*c* <!-- d --> f\n');
  });
});

describe('a table with one edited cell keeps the others', () => {
  const TABLE = `<table data-view="cards" data-full-width x="y">
  <thead><tr><th width="100">A</th><th data-type="content-ref" data-card-target>B</th>
    <th>C<select><option value="k1" label="One" color="blue"></option></select></th><th>D</th></tr></thead>
  <tbody><tr><td valign="top">one <u>x</u></td><td><a href="teams.md">Our teams</a></td>
    <td><span data-option="k1">ONE</span></td><td></td></tr>
    <tr><td colspan="2"><strong>two</strong></td></tr></tbody>
</table>
`;

  it('in HTML', () => {
    expect(edit(TABLE, replaceString('two', 'three'))).toBe(TABLE.replace('two', 'three'));
    expect(edit(TABLE, replaceString('one x', 'one y'))).toBe(TABLE.replace('<u>x', '<u>y'));
  });

  it('in HTML that could be pipes', () => {
    const body = '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>a</td><td rowspan="2">b</td></tr></tbody></table>\n'; // prettier-ignore
    expect(edit(body, replaceString('b', 'bb'))).toBe(body.replace('>b<', '>bb<'));
  });

  it('in HTML when an empty cell is filled', () => {
    const body = '<table data-view="cards"><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td valign="top">a</td><td></td><td></td></tr></tbody></table>\n'; // prettier-ignore
    const result = edit(body, ([table]) => {
      const { records, view } = (table as BlockNode).data as {
        records: Record<string, { values: Record<string, string> }>;
        view: { columns: string[] };
      };
      const [row] = Object.values(records);
      if (row) row.values[view.columns[1] ?? ''] = 'new';
      const nodes = parseDocument('*n*').nodes;
      table?.fragments?.push({ object: 'fragment', fragment: 'new', nodes });
    });
    expect(result).toBe(body.replace('</td><td></td>', '</td><td><em>n</em></td>'));
  });

  it('in pipes', () => {
    const body = '| a|b |\n|:-:|---\n| *1*|2 <!-- c -->\n|3| [t](teams.md "T") |\n';
    expect(edit(body, replaceString('3', '33'))).toBe(body.replace('3', '33'));
  });

  it('and its width', () => {
    expect(parseDocument(TABLE).nodes[0]?.data).toMatchObject({ fullWidth: true });
    expect(
      parseDocument(TABLE.replace('full-width', 'full-width="false"')).nodes[0]?.data,
    ).not.toHaveProperty('fullWidth');
  });
});

describe('a footnote', () => {
  const BODY = 'A word[^1] here.\n\n[^1]: note *one* <!-- c -->\n\nThe *end*[^b].\n\n[^b]: other\n';

  it('is edited in place, repeatedly', () => {
    let body = BODY;
    for (const [from, to] of [
      ['note ', 'first '],
      ['first ', 'second '],
      ['second ', 'third '],
    ] as const) {
      body = edit(body, replaceString(from, to));
    }
    expect(body).toBe(BODY.replace('note ', 'third '));
  });

  it('is edited inside a container, and block by block', () => {
    const body =
      '{% hint style="info" %}\n*a*[^1]\n\n[^1]: one *b*\n\n    -   c\n    -   d\n{% endhint %}\n\nend *x*\n';
    expect(edit(body, replaceString('c', 'cc'))).toBe(body.replace('-   c', '-   cc'));
  });

  it('can be emptied', () => {
    const result = edit(BODY, ([first]) => {
      const note = first?.nodes?.[1] as InlineNode;
      note.fragments = [{ object: 'fragment', fragment: 'annotation-body', nodes: [] }];
    });
    expect(result).toBe(BODY.replace(' note *one* <!-- c -->', ''));
  });

  it('is removed with its reference', () => {
    const result = edit(BODY, ([first]) => {
      first?.nodes?.splice(1, 1);
    });
    expect(result).toBe('A word here.\n\nThe *end*[^b].\n\n[^b]: other\n');
  });

  it('with two references stays when one is removed', () => {
    const body = 'One[^1]\n\nTwo[^1]\n\n[^1]: note\n';
    const result = edit(body, ([one]) => {
      const note = one?.nodes?.[1] as InlineNode;
      note.fragments = [
        { object: 'fragment', fragment: 'annotation-body', nodes: parseDocument('mine').nodes },
      ];
    });
    expect(result).toBe('One[^2]\n\nTwo[^1]\n\n[^1]: note\n\n[^2]: mine\n');
  });
});
