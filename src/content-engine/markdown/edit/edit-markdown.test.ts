import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  paragraphOf,
  sameDocument,
  type BlockNode,
  type InlineNode,
  type JSONDocument,
  type ListBlock,
  type ListItemBlock,
} from '../../document/index.ts';
import { editMarkdown, parseBlocks, parseDocument } from '../index.ts';

const BODY = `
Intro *text*  with   odd spaces.

-   first
-   second

    with a paragraph

> a quote
> of two lines

{% hint style="info" %}
One.

Two.
{% endhint %}

{% tabs %}
{% tab title="A" %}
In A
{% endtab %}

{% tab title="B" %}
In B
{% endtab %}
{% endtabs %}

<details>

<summary>Why</summary>

Because.

</details>

| a|b |
|---|---|
| 1|2 |

<!-- a comment -->

Last[^1]

[^1]: note
`;

/** The document with the first matching text replaced. */
function withText(document: JSONDocument, from: string, to: string): JSONDocument {
  const text = JSON.stringify(document);
  expect(text).toContain(`"${from}"`);
  return JSON.parse(text.replace(`"${from}"`, `"${to}"`)) as JSONDocument;
}

const changedLines = (before: string, after: string): string[] => {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line));
};

const paragraph = (text: string): BlockNode => ({
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});

describe('editMarkdown', () => {
  it.each([
    ['first', '-   changed'],
    ['with a paragraph', '    changed'],
    ['Two.', 'changed'],
    ['In B', 'changed'],
    ['Because.', 'changed'],
  ])('changes the line of %j and no other', (text, line) => {
    const edited = withText(parseDocument(BODY), text, 'changed');
    const result = editMarkdown(BODY, edited);
    expect(changedLines(BODY, result)).toEqual([line]);
    expect(result.split('\n')).toHaveLength(BODY.split('\n').length);
    expect(sameDocument(parseDocument(result), edited)).toBe(true);
  });

  it('keeps line endings and prefixes', () => {
    const body = BODY.replaceAll('\n', '\r\n');
    const edited = withText(parseDocument(body), 'In A', 'a\\nb');
    expect(editMarkdown(body, edited)).toBe(body.replace('In A', 'a\\\r\nb'));
    const quoted = withText(parseDocument('> > one\n> >\n> > two\n'), 'two', 'a\\nb');
    expect(editMarkdown('> > one\n> >\n> > two\n', quoted)).toBe('> > one\n> >\n> > a\\\n> > b\n');
  });

  it('inserts, removes and moves blocks without changing the others', () => {
    const document = parseDocument('One\n\nTwo\n\n\n\nThree');
    const [one, two, three] = document.nodes as [BlockNode, BlockNode, BlockNode];
    const edit = (nodes: BlockNode[]): string =>
      editMarkdown('One\n\nTwo\n\n\n\nThree', { ...document, nodes });
    expect(edit([one, paragraph('New'), two, three])).toBe('One\n\nNew\n\nTwo\n\n\n\nThree');
    expect(edit([one, three])).toBe('One\n\nThree');
    expect(edit([two, three, one])).toBe('Two\n\n\n\nThree\n\nOne\n');
    expect(edit([])).toBe('');
    expect(editMarkdown('', { ...document, nodes: [paragraph('New')] })).toBe('New\n');
  });

  it('adds an item with the marker of the list', () => {
    const body = '- one\n- two\n\nText\n';
    const document = parseDocument(body);
    const list = document.nodes[0] as ListBlock;
    const items: ListItemBlock[] = [
      ...(list.nodes ?? []),
      { object: 'block', type: 'list-item', nodes: [paragraph('three')] },
    ];
    const edited = { ...document, nodes: [{ ...list, nodes: items }, ...document.nodes.slice(1)] };
    expect(editMarkdown(body, edited)).toMatch(/^- one\n- two\n\n?- three\n\nText\n$/);
  });

  it('keeps footnotes of rewritten blocks', () => {
    const document = parseDocument(BODY);
    const edited = withText(document, 'Last', 'Least');
    expect(editMarkdown(BODY, edited)).toBe(BODY.replace('Last', 'Least'));
    const note: InlineNode = {
      object: 'inline',
      type: 'annotation',
      isVoid: false,
      nodes: [],
      fragments: [{ object: 'fragment', type: 'annotation-body', nodes: [paragraph('second note')] }],
    };
    const added = { ...document, nodes: [...document.nodes, paragraphOf('', [note])] };
    const result = editMarkdown(BODY, added);
    expect(result.startsWith(BODY)).toBe(true);
    expect(sameDocument(parseDocument(result), added)).toBe(true);
  });

  it('returns the same bytes for an unchanged document, whatever they are', () => {
    const piece = fc.constantFrom(
      '* a\n', '- b\n', '> c\n', '  ', '\t', '\n', '\r\n', '\r', '{% hint %}\n', '{% endhint %}\n', '{% foo %}', '<details>\n',
      '<summary>s</summary>', '</details>', '| a | b |\n', '|---|---|\n', '```\n', '$$\n', '***\n', '## h\n', '**x**', '[a](b)',
      '[^1]', '[^1]: n\n', '<!-- c -->\n', '<table><tr><td>x</td></tr></table>\n', '&amp;', '\\', '1. x\n', '{% tabs %}\n',
      '{% tab title="t" %}\n', '{% endtab %}\n', '{% endtabs %}\n', '<b>', '</b>', '===\n', '    code\n', '\0', '\ud800',
    ); // prettier-ignore
    const text = fc.oneof(
      fc.array(piece, { maxLength: 25 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (body) => {
        expect(editMarkdown(body, parseDocument(body))).toBe(body);
        const blocks = parseBlocks(body);
        expect(blocks.map(({ start, end }) => body.slice(start, end)).join('')).toBe(body);
        expect(blocks.every(({ start }, index) => start === (blocks[index - 1]?.end ?? 0))).toBe(true);
      }),
      { numRuns: 1000, seed: 4 },
    );
  });

  it('leaves every other line when a paragraph changes', () => {
    const words = fc.stringMatching(/^[a-z]{3,8}( [a-z]{3,8}){1,5}$/);
    const block = fc.oneof(
      words,
      words.map((text) => `## ${text}`),
      fc
        .array(words, { minLength: 1, maxLength: 3 })
        .map((items) => items.map((item) => `-  ${item}`).join('\n')),
      words.map((text) => `{% hint style="info" %}\n${text}\n{% endhint %}`),
      words.map((text) => `~~~\n${text}\n~~~`),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), fc.array(block, { maxLength: 6 }), (before, after) => {
        const body = [...before, 'THE PARAGRAPH', ...after].join('\n\n\n');
        const edited = withText(parseDocument(body), 'THE PARAGRAPH', 'another *one*');
        expect(editMarkdown(body, edited)).toBe(body.replace('THE PARAGRAPH', 'another \\*one\\*'));
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});

describe('parseBlocks', () => {
  it('returns the type of each range, also inside containers', () => {
    const blocks = parseBlocks(BODY);
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'blank', 'paragraph', 'list-unordered', 'blockquote', 'hint', 'tabs', 'expandable', 'table', 'comment',
      'paragraph', 'footnote',
    ]); // prettier-ignore
    const hint = blocks[4];
    expect(hint?.children.map(({ start, end }) => BODY.slice(start, end))).toEqual(['One.\n\n', 'Two.\n']);
    expect(blocks[5]?.children.map(({ kind }) => kind)).toEqual(['tabs-item', 'tabs-item']);
    expect(new Set(blocks.map(({ key }) => key)).size).toBe(blocks.length);
  });
});
