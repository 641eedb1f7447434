import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCHEMA_CHANGES } from '../../../test/conformance/exemptions.ts';
import { ajvWith } from '../../../test/conformance/schemas.ts';
import { EVERY_NODE } from '../../../test/every-node.ts';
import {
  canonicalBlocks,
  fromPublishedForm,
  plainTextNode,
  toPublishedForm,
  type BlockNode,
  type ContentRef,
  type InlineContent,
  type InlineNode,
  type JSONDocument,
  type Leaf,
  type Mark,
  type PlainMark,
} from '../document/index.ts';
import { editMarkdown, parseDocument, toMarkdown } from './index.ts';

/** Documents as a client may build them: valid, but with any text in any place. */

const SYNTAX = [
  '*', '**', '_', '__', '~~', '`', '``', '```', '[', ']', '](x)', '![', '<', '>', '<b>', '</b>', '<br>', '<!--', '-->',
  '&amp;', '&', '#', '## ', '- ', '+ ', '1. ', '1) ', '> ', '| a |', '|', '---', '***', '===', '$$', '$', '{% hint %}',
  '{% endhint %}', ':::', ':::note', '!!! note', '??? tip "x"', '[!NOTE]', '%}', '{%', '</details>', '<details>', '<table>', '\\', '\\\\', '!', ':', '~', '^', '[^1]', '[ ] ',
  '    ', '\t', ' ', '  ', 'a', 'b', 'word', 'snake_case', 'é', '漢字', '：', '「', '」', '🎉', '"', "'", '(', ')', 'https://x.y', '=', '-',
]; // prettier-ignore

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SYNTAX) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-zA-Z0-9 .,]{1,8}$/) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }).map((text) => text.replace(/[\r\n\0]/g, '')) },
);
const oneLine = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const text = fc.oneof(
  oneLine,
  fc.tuple(oneLine, oneLine).map((lines) => lines.join('\n')),
);
const words = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,6}){0,3}$/);

const ref: fc.Arbitrary<ContentRef> = fc.oneof(
  words.map((url) => ({ kind: 'url' as const, url: `../${url}.md?a=1&b=(2)` })),
  words.map((page) => ({ kind: 'page' as const, page })),
  words.map((anchor) => ({ kind: 'anchor' as const, anchor })),
  fc.tuple(words, words).map(([page, space]) => ({ kind: 'page' as const, page, space })),
);
const fileRef: fc.Arbitrary<ContentRef> = fc.oneof(
  words.map((url) => ({ kind: 'url' as const, url: `https://x.y/${url} "1".png` })),
  words.map((file) => ({ kind: 'file' as const, file })),
);

const MARKS: PlainMark[] = [
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
];
const marks: fc.Arbitrary<Mark[]> = fc
  .tuple(
    fc.subarray(MARKS),
    fc.option(
      fc.record({ text: fc.constantFrom('red', '$primary'), background: fc.constantFrom('default', 'blue') }),
    ),
  )
  .map(([types, color]) => [
    ...types.map((type): Mark => ({ object: 'mark', type })),
    ...(color ? [{ object: 'mark' as const, type: 'color' as const, data: color }] : []),
  ]);
const leaf = (content: fc.Arbitrary<string>): fc.Arbitrary<Leaf> =>
  fc
    .tuple(content, fc.oneof(fc.constant<Mark[]>([]), marks))
    .map(([value, all]) => ({ object: 'leaf', text: value, marks: all }));
const textNode = (content: fc.Arbitrary<string>): fc.Arbitrary<InlineContent> =>
  fc.array(leaf(content), { minLength: 1, maxLength: 3 }).map((leaves) => ({ object: 'text', leaves }));

const voidInline = (
  type: InlineNode['type'],
  data: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<InlineNode> =>
  data.map((value) => ({ object: 'inline', type, data: value, isVoid: true }) as InlineNode);

const simpleInline: fc.Arbitrary<InlineContent> = fc.oneof(
  voidInline(
    'emoji',
    fc.constantFrom('2728', '1f468-200d-1f4bb').map((code) => ({ code })),
  ),
  voidInline(
    'icon',
    fc.constantFrom('github', 'arrow-up-right').map((icon) => ({ icon })),
  ),
  voidInline(
    'expression',
    oneLine.map((expression) => ({ expression })),
  ),
  voidInline(
    'inline-math',
    words.map((formula) => ({ formula: `${formula}^2 < \\frac` })),
  ),
  voidInline(
    'mention',
    ref.map((target) => ({ ref: target })),
  ),
  voidInline(
    'button',
    fc.tuple(words, ref).map(([label, target]) => ({ label, kind: 'secondary', icon: 'x', ref: target })),
  ),
  voidInline(
    'inline-image',
    fc.tuple(fileRef, oneLine).map(([target, alt]) => ({ ref: target, alt, size: 'line' })),
  ),
);
const link = (content: fc.Arbitrary<string>): fc.Arbitrary<InlineContent> =>
  fc
    .tuple(ref, textNode(content))
    .map(([target, node]) => ({ object: 'inline', type: 'link', data: { ref: target }, nodes: [node] }));
const inlines = (content: fc.Arbitrary<string>): fc.Arbitrary<InlineContent[]> =>
  fc.array(fc.oneof({ weight: 4, arbitrary: textNode(content) }, link(content), simpleInline), {
    minLength: 1,
    maxLength: 4,
  });

const block = (type: BlockNode['type'], rest: object): BlockNode =>
  ({ object: 'block', type, ...rest }) as BlockNode;
const paragraph = inlines(text).map((nodes) => block('paragraph', { nodes }));
const codeLine = fc.tuple(oneLine, fc.boolean()).map(([value, highlighted]) =>
  block('code-line', {
    data: highlighted ? { highlighted } : {},
    nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }],
  }),
);
const code = fc
  .tuple(
    fc.option(fc.constantFrom('js', 'mermaid')),
    fc.option(oneLine),
    fc.array(codeLine, { maxLength: 3 }),
  )
  .map(([syntax, title, nodes]) =>
    block('code', { data: { ...(syntax ? { syntax } : {}), ...(title ? { title } : {}) }, nodes }),
  );
const caption = paragraph.map((node) => [
  { object: 'fragment' as const, fragment: 'caption', nodes: [node] },
]);
const image = fc
  .tuple(fileRef, fc.option(fileRef), fc.option(caption), oneLine)
  .map(([target, dark, fragments, alt]) =>
    block('image', {
      data: { ref: target, ...(dark ? { refDark: dark } : {}), alt, width: 100 },
      fragments: fragments ?? [],
      isVoid: true,
    }),
  );

const leafBlock: fc.Arbitrary<BlockNode> = fc.oneof(
  { weight: 5, arbitrary: paragraph },
  fc
    .tuple(
      fc.constantFrom('heading-1', 'heading-2', 'heading-3'),
      inlines(text),
      fc.option(fc.constant('my-id')),
    )
    .map(([type, nodes, id]) => block(type, { data: id ? { id } : {}, nodes })),
  fc.constant(block('divider', { data: {}, isVoid: true })),
  code,
  words.map((formula) => block('math', { data: { formula: `${formula}\n\\x` }, isVoid: true })),
  oneLine.map((url) => block('embed', { data: { url }, isVoid: true })),
  ref.map((target) => block('content-ref', { data: { ref: target }, isVoid: true })),
  words.map((id) =>
    block('reusable-content', {
      data: { ref: { kind: 'reusable-content', reusableContent: id } },
      isVoid: true,
    }),
  ),
  fc
    .tuple(fc.array(image, { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(([nodes, withFrame]) =>
      block('images', { data: withFrame ? { withFrame } : {}, nodes, isVoid: false }),
    ),
  fc.tuple(words, oneLine).map(([name, value]) =>
    block('integration', {
      data: { integration: 'name', block: 'block', props: { [name.replaceAll(' ', '')]: value } },
      isVoid: true,
    }),
  ),
);

const table: fc.Arbitrary<BlockNode> = fc
  .tuple(
    fc.array(
      fc.array(fc.option(fc.array(paragraph, { minLength: 1, maxLength: 2 })), {
        minLength: 2,
        maxLength: 2,
      }),
      { maxLength: 3 },
    ),
    fc.array(words, { minLength: 2, maxLength: 2 }),
    fc.boolean(),
  )
  .map(([rows, titles, cards]) => {
    const fragments = rows.flatMap((row, at) =>
      row.flatMap((nodes, column) =>
        nodes ? [{ object: 'fragment' as const, fragment: `f${at}${column}`, nodes }] : [],
      ),
    );
    const records = Object.fromEntries(
      rows.map((row, at) => [
        `r${at}`,
        {
          orderIndex: `${at}`,
          values: Object.fromEntries(
            row.flatMap((nodes, column) => (nodes ? [[`c${column}`, `f${at}${column}`]] : [])),
          ),
        },
      ]),
    );
    const definition = Object.fromEntries(
      titles.map((title, at) => [`c${at}`, { id: `c${at}`, title, type: 'text', textAlignment: 'left' }]),
    );
    const view = cards
      ? { type: 'cards', cardSize: 'large', columns: ['c0'] }
      : { type: 'grid', columns: ['c0', 'c1'], hideHeader: false };
    return block('table', { data: { view, records, definition }, fragments, isVoid: true });
  });

const { blocks } = fc.letrec<{ blocks: BlockNode[]; one: BlockNode }>((tie) => ({
  blocks: fc.array(tie('one'), { minLength: 1, maxLength: 3 }),
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leafBlock,
    leafBlock,
    table,
    tie('blocks').map((nodes) => block('blockquote', { nodes })),
    fc
      .tuple(tie('blocks'), oneLine)
      .map(([nodes, icon]) => block('hint', { data: { style: 'info', icon }, nodes })),
    fc
      .tuple(
        fc.constantFrom('list-unordered', 'list-ordered', 'list-tasks'),
        fc.array(tie('blocks'), { minLength: 1, maxLength: 2 }),
        fc.boolean(),
      )
      .map(([type, items, checked]) =>
        block(type, {
          data: type === 'list-ordered' ? { start: 7 } : {},
          nodes: items.map((nodes) =>
            block('list-item', { nodes, ...(type === 'list-tasks' ? { data: { checked } } : {}) }),
          ),
        }),
      ),
    fc.array(fc.tuple(oneLine, tie('blocks')), { minLength: 1, maxLength: 2 }).map((tabs) =>
      block('tabs', {
        nodes: tabs.map(([title, nodes]) => block('tabs-item', { data: { title }, nodes })),
      }),
    ),
    fc
      .array(tie('blocks'), { minLength: 1, maxLength: 2 })
      .map((steps) =>
        block('stepper', { nodes: steps.map((nodes) => block('stepper-step', { data: {}, nodes })) }),
      ),
    fc.tuple(inlines(text), tie('blocks')).map(([title, nodes]) =>
      block('expandable', {
        data: {},
        isVoid: true,
        fragments: [
          {
            object: 'fragment',
            fragment: 'expandable-title',
            type: 'expandable-title',
            nodes: [block('paragraph', { nodes: title })],
          },
          { object: 'fragment', fragment: 'expandable-body', type: 'expandable-body', nodes },
        ],
      }),
    ),
    fc.tuple(words, tie('blocks')).map(([expression, nodes]) => block('if', { data: { expression }, nodes })),
    fc.tuple(paragraph, tie('blocks')).map(([before, note]) =>
      block('paragraph', {
        nodes: [
          ...(before.nodes ?? []),
          {
            object: 'inline',
            type: 'annotation',
            isVoid: false,
            nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'noted', marks: [] }] }],
            fragments: [{ object: 'fragment', type: 'annotation-body', nodes: withoutNotes(note) }],
          },
        ],
      }),
    ),
  ),
}));

/** A footnote inside a footnote is text. */
function withoutNotes(nodes: BlockNode[]): BlockNode[] {
  return JSON.parse(
    JSON.stringify(nodes, (key, value: unknown) =>
      key === 'nodes' && Array.isArray(value)
        ? value.filter((node) => (node as InlineNode).type !== 'annotation')
        : value,
    ),
  ) as BlockNode[];
}

const documentOf = (nodes: BlockNode[]): JSONDocument => ({ object: 'document', data: {}, nodes });
const canonical = (document: JSONDocument): string => JSON.stringify(canonicalBlocks(document.nodes));

const RUNS = Number(process.env['MARKDOWN_RUNS'] ?? 150);

describe('document -> Markdown -> document', () => {
  it('is the same for any text in any inline', () => {
    fc.assert(
      fc.property(fc.array(paragraph, { minLength: 1, maxLength: 2 }), (nodes) => {
        const document = documentOf(nodes);
        expect(canonical(parseDocument(toMarkdown(document)))).toBe(canonical(document));
      }),
      { numRuns: RUNS * 3, seed: 11 },
    );
  });

  it('is the same for nested blocks', () => {
    fc.assert(
      fc.property(blocks, (nodes) => {
        const document = documentOf(nodes);
        expect(canonical(parseDocument(toMarkdown(document)))).toBe(canonical(document));
      }),
      { numRuns: RUNS, seed: 12 },
    );
  });
});

describe('editMarkdown over generated documents', () => {
  it('results in the edited document, for any body', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat(3), (one, other, at) => {
        const body = toMarkdown(documentOf(one));
        const edited = documentOf([...parseDocument(body).nodes]);
        edited.nodes.splice(Math.min(at, edited.nodes.length), 1, ...other.slice(0, 1));
        expect(canonical(parseDocument(editMarkdown(body, edited)))).toBe(canonical(edited));
      }),
      { numRuns: RUNS / 2, seed: 13 },
    );
  });
});

describe('the published form of generated documents', () => {
  const validate = ajvWith(SCHEMA_CHANGES).compile({ $ref: 'JSONDocument' });

  it('is valid and reversible', () => {
    fc.assert(
      fc.property(blocks, (nodes) => {
        const document = parseDocument(toMarkdown(documentOf(nodes)));
        const published = JSON.parse(JSON.stringify(toPublishedForm(document))) as JSONDocument;
        expect([validate(published), validate.errors]).toEqual([true, null]);
        expect(fromPublishedForm(published)).toEqual(JSON.parse(JSON.stringify(document)));
      }),
      { numRuns: RUNS, seed: 16 },
    );
  });
});

describe('line endings', () => {
  const withReturns = (text: string): string => text.replaceAll('\n', '\r\n');

  it('do not affect parsing or keys', () => {
    fc.assert(
      fc.property(blocks, (nodes) => {
        const body = toMarkdown(documentOf(nodes));
        expect(parseDocument(withReturns(body))).toEqual(parseDocument(body));
      }),
      { numRuns: RUNS, seed: 14 },
    );
  });

  it('do not affect tags that are text, in a paragraph and alone', () => {
    const body = 'Text <Card\n title="a\nb">\n\n{% unknown\na="b" %}\n\nText {% unknown\nb %} </Card\n>\n';
    for (const end of ['\r\n', '\r']) {
      const source = body.replaceAll('\n', end);
      expect(parseDocument(source)).toEqual(parseDocument(body));
      expect(editMarkdown(source, parseDocument(body))).toBe(source);
    }
  });

  it('do not affect tags, attributes, titles and formulas over several lines', () => {
    const body = `[a](x.md "one\ntwo") ![b\nc](y.png 'one\ntwo') <img src="a.png" alt="one\ntwo"> $$a\nb$$ \`a\nb\`
<code class="expression">a\n+ b</code> <a href="u\nv" class="button primary">one\ntwo</a> [ref\nered]

{% hint style="info"\nicon="a\nb" %}\nText\n{% endhint %}

{% embed url="https://x.org/\na" %}\n\n{% if a ===\n1 %}\nb\n{% endif %}

{% @name/block text="a\nb" list="[1,\n2]" %}\n\n{% include "a\nb" %}

<figure><img src="a.png" alt="one\ntwo"><figcaption><p>one\ntwo</p></figcaption></figure>

<details>\n\n<summary>one\ntwo</summary>\n\n<pre><code>a\nb</code></pre>\n\n</details>

<table><thead><tr><th>a\nb</th></tr></thead><tbody><tr><td><ul><li>a\nb</li></ul></td></tr></tbody></table>

[ref ered]: z.md\n`;
    for (const end of ['\r\n', '\r']) {
      expect(parseDocument(body.replaceAll('\n', end))).toEqual(parseDocument(body));
    }
  });

  const edit = fc.record({
    kind: fc.constantFrom('insert', 'remove', 'move', 'replace', 'append'),
    at: fc.nat(4),
    to: fc.nat(4),
    block: leafBlock,
  });
  type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

  function edited(document: JSONDocument, { kind, at, to, block: other }: Edit): JSONDocument {
    const nodes = [...document.nodes];
    const index = at % Math.max(nodes.length, 1);
    const [old] = nodes.slice(index);
    if (kind === 'insert') nodes.splice(index, 0, other);
    else if (kind === 'append' && old?.type === 'paragraph')
      nodes[index] = { ...old, nodes: [...(old.nodes ?? []), plainTextNode('more')] };
    else if (kind === 'append') nodes.push(other);
    else {
      nodes.splice(index, 1, ...(kind === 'replace' ? [other] : []));
      if (kind === 'move' && old) nodes.splice(to % (nodes.length + 1), 0, old);
    }
    return { ...document, nodes };
  }

  const paragraphOf = (value: string): BlockNode =>
    block('paragraph', { nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] }] });

  /** Other spellings than those of the writer: other markers, wrapped lines, blank lines, comments. */
  const HAND_WRITTEN = `Soft wrapped
text goes on\n\n- one\n  wrapped\n- two\n\n\n3) three\n3) four\n    + five\n\n> quoted\nlazy line\n\n<!-- note -->
Title\n-----\n\n| a  |   b |\n|:--|--:|\n| **1** |  [2](x.md) |\n\n{% hint style="info" %}
Text\n\n* a\n* b\n{% endhint %}\n\n<details>\n\n<summary>S</summary>\n\nwrapped\nlines\n\n</details>
`;
  const body = fc.oneof(
    fc.constantFrom(HAND_WRITTEN, EVERY_NODE),
    blocks.map((nodes) => toMarkdown(documentOf(nodes))),
  );

  it('are those of the page after any edit, and nothing else differs', () => {
    fc.assert(
      fc.property(body, edit, fc.constantFrom('\r\n', '\r'), (text, change, end) => {
        const plain = editMarkdown(text, edited(parseDocument(text), change));
        const source = text.replaceAll('\n', end);
        expect(editMarkdown(source, edited(parseDocument(source), change))).toBe(plain.replaceAll('\n', end));
      }),
      { numRuns: RUNS / 3, seed: 15 },
    );
  });

  it('are kept line by line in a page that mixes them', () => {
    const text = 'one\r\ntwo\n\r\n- a\r- b\r\n\r\nlast\r\n';
    const document = parseDocument(text);
    const nodes = [...document.nodes, paragraphOf('new')];
    expect(editMarkdown(text, { ...document, nodes })).toBe(`${text}\r\nnew\r\n`);
    const [first, ...rest] = document.nodes;
    expect(editMarkdown(text, { ...document, nodes: [...rest, first as BlockNode] })).toBe(
      '- a\r- b\r\n\r\nlast\r\n\r\none\r\ntwo\n',
    );
  });
});
