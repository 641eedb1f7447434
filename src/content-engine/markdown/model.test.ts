import { describe, expect, it } from 'vitest';
import {
  canonicalBlocks,
  COLORS,
  type BlockNode,
  type ContentRef,
  type FragmentNode,
  type InlineContent,
  type InlineNode,
  type Mark,
  type TextNode,
} from '../document/index.ts';
import { parseDocument, toMarkdown } from './index.ts';

/** One of each block and inline of the document model, with every member that it may have. */

const text = (value: string, ...marks: Mark[]): TextNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks }],
});
const mark = (type: Mark['type'], data?: Mark['data']): Mark =>
  ({ object: 'mark', type, ...(data ? { data } : {}) }) as Mark;
const block = (type: BlockNode['type'], rest: object = {}): BlockNode =>
  ({ object: 'block', type, ...rest }) as BlockNode;
const empty = (type: BlockNode['type'], data: Record<string, unknown>): BlockNode =>
  block(type, { data, isVoid: true });
const inline = (type: InlineNode['type'], data: Record<string, unknown>): InlineNode =>
  ({ object: 'inline', type, data, isVoid: true }) as InlineNode;
const paragraph = (...nodes: InlineContent[]): BlockNode => block('paragraph', { nodes });
const words = paragraph(text('words'));
const fragment = (name: string, ...nodes: BlockNode[]): FragmentNode => ({
  object: 'fragment',
  fragment: name,
  type: name,
  nodes,
});
const note = (...nodes: BlockNode[]): InlineNode => ({
  object: 'inline',
  type: 'annotation',
  isVoid: false,
  nodes: [text('noted')],
  fragments: [{ object: 'fragment', type: 'annotation-body', nodes }],
});

const url: ContentRef = { kind: 'url', url: 'https://x.y/a?b=(c)&d' };
const file: ContentRef = { kind: 'file', file: 'f1' };
const spec = { kind: 'openapi', spec: 'petstore' };

const REFS: ContentRef[] = [
  url,
  file,
  { kind: 'page', page: 'p' },
  { kind: 'page', page: 'p', space: 's' },
  { kind: 'anchor', anchor: 'a' },
  { kind: 'anchor', anchor: 'a', page: 'p', space: 's' },
  { kind: 'user', user: 'u' },
  { kind: 'collection', collection: 'c' },
  { kind: 'space', space: 's' },
  { kind: 'reusable-content', reusableContent: 'r', space: 's' },
  { kind: 'openapi', spec: 'o' },
  { kind: 'tag', tag: 't' },
];

const MARKS: Mark[] = [
  ...(['bold', 'italic', 'code', 'keyboard', 'strikethrough', 'superscript', 'subscript'] as const).map(
    (type) => mark(type),
  ),
  ...COLORS.filter((color) => color !== 'default').map((color) =>
    mark('color', { text: color, background: 'default' }),
  ),
  mark('color', { text: 'default', background: '$danger' }),
];

const INLINES: InlineContent[] = [
  ...REFS.map((ref): InlineNode => ({
    object: 'inline',
    type: 'link',
    data: { ref },
    nodes: [text('link')],
  })),
  {
    object: 'inline',
    type: 'link',
    data: { ref: url },
    nodes: [inline('inline-image', { ref: file, alt: 'in a link', size: 'line' })],
  },
  inline('inline-image', { ref: url }),
  inline('inline-image', { ref: file, refDark: url, caption: 'c "q"', alt: 'a', size: 'original' }),
  inline('emoji', { code: '1f468-200d-1f4bb' }),
  inline('icon', { icon: 'arrow-up' }),
  inline('expression', { expression: 'space.vars.x > 1 && "a"' }),
  inline('inline-math', { formula: 'a < b' }),
  ...REFS.map((ref) => inline('mention', { ref })),
  inline('button', { label: 'Go & <see>', kind: 'primary', icon: 'x', size: 'large', ref: url }),
  inline('button', { label: 'Ask', kind: 'secondary', action: { action: 'ask', query: 'What?' } }),
  note(words, block('code', { data: {}, nodes: [block('code-line', { data: {}, nodes: [text('x')] })] })),
];

const CELL_BLOCKS: BlockNode[] = [
  paragraph(text('a'), note(words)),
  block('paragraph', { data: { align: 'center' }, nodes: [text('a')] }),
  block('heading-1', { data: { id: 'x' }, nodes: [text('a')] }),
  block('heading-3', { data: { align: 'end' }, nodes: [text('a')] }),
  block('list-ordered', { data: { start: 4 }, nodes: [block('list-item', { nodes: [words, words] })] }),
  block('list-unordered', {
    nodes: [
      block('list-item', {
        nodes: [block('list-unordered', { nodes: [block('list-item', { nodes: [words] })] })],
      }),
    ],
  }),
  block('list-tasks', {
    nodes: [true, false].map((checked) => block('list-item', { data: { checked }, nodes: [words] })),
  }),
  block('blockquote', { nodes: [words, words] }),
  empty('divider', {}),
  block('code', {
    data: { syntax: 'js', title: 't', overflow: 'wrap', lineNumbers: true },
    nodes: [
      block('code-line', { data: {}, nodes: [text('  a < b')] }),
      block('code-line', { data: {}, nodes: [text('')] }),
    ],
  }),
];

const typed = (id: string, type: string, more: object = {}): [string, object] => [
  id,
  { id, title: `T ${id}`, type, ...more },
];

const grid = empty('table', {
  fullWidth: true,
  view: { type: 'grid', columns: ['b', 'a', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'], hideHeader: true, columnWidths: { a: 50 } },
  definition: Object.fromEntries([
    typed('a', 'text', { textAlignment: 'right', verticalAlignment: 'middle' }),
    typed('b', 'number'),
    typed('c', 'checkbox'),
    typed('d', 'files'),
    typed('e', 'users', { multiple: true }),
    typed('f', 'rating', { max: 3 }),
    typed('g', 'select', { multiple: true, options: [{ value: 'v', label: 'L', color: 'red' }, { value: 'w', label: 'M', color: 'blue' }] }),
    typed('h', 'content-ref'),
    typed('i', 'image'),
    typed('j', 'text', { textAlignment: 'left' }),
  ]),
  records: {
    r2: { orderIndex: 'b', values: { j: 'cell' } },
    r1: {
      orderIndex: 'a',
      values: {
        a: 'cell', b: 1.5, c: true, d: ['f1', 'f2'], e: ['u1'], f: 2, g: ['v', 'w'], h: { kind: 'page', page: 'p' },
        i: { ref: file, objectFit: 'contain' },
      },
    },
    r3: { orderIndex: 'c', values: { c: false, i: url, h: { kind: 'file', file: 'x' } } },
  },
}); // prettier-ignore
grid.fragments = [{ object: 'fragment', fragment: 'cell', nodes: CELL_BLOCKS }];

const cards = empty('table', {
  view: {
    type: 'cards', cardSize: 'large', columns: ['a'], targetDefinition: 'b', coverDefinition: 'c', coverDefinitionDark: 'd',
    hideColumnTitle: true,
  },
  definition: Object.fromEntries([
    typed('a', 'text', { textAlignment: 'left' }), typed('b', 'content-ref'), typed('c', 'image'), typed('d', 'image'),
  ]),
  records: { r: { orderIndex: '0', values: { a: 'cell', b: url, c: { ref: url }, d: { ref: file } } } },
}); // prettier-ignore
cards.fragments = [{ object: 'fragment', fragment: 'cell', nodes: [words] }];

const BLOCKS: BlockNode[] = [
  ...(['start', 'center', 'end'] as const).map((align) => block('paragraph', { data: { align }, nodes: [text('a')] })),
  ...(['heading-1', 'heading-2', 'heading-3'] as const).flatMap((type) => [
    block(type, { data: {}, nodes: [text('Head')] }),
    block(type, { data: { id: 'own.id_1+2', align: 'center' }, nodes: [text('Head')] }),
    block(type, { data: { id: 'own' }, nodes: [text('Head')] }),
  ]),
  ...CELL_BLOCKS,
  block('code', {
    data: {
      syntax: 'ts', title: 'a "b"', overflow: 'scroll', lineNumbers: true, fullWidth: true, expandable: true,
      collapsedLineCount: 3,
    },
    nodes: [
      block('code-line', { data: { highlighted: true }, nodes: [text('const a = 1;')] }),
      block('code-line', {
        data: {},
        nodes: [text('  b '), inline('expression', { expression: 'a.b' }), text(' c '), note(words), text(';')],
      }),
    ],
  }),
  ...['info', 'warning', 'danger', 'success'].map((style) => block('hint', { data: { style }, nodes: [words] })),
  block('hint', { data: { style: 'info', icon: 'books' }, nodes: CELL_BLOCKS }),
  block('blockquote', { nodes: [block('blockquote', { nodes: CELL_BLOCKS })] }),
  empty('math', { formula: 'a\n\\frac{b}{c}' }),
  block('images', {
    data: { align: 'left', fullWidth: true, withFrame: true },
    isVoid: false,
    nodes: [
      block('image', {
        data: { ref: file, refDark: url, alt: 'a', width: { unit: '%', value: 50 }, height: 20 },
        fragments: [fragment('caption', paragraph(text('cap', mark('bold'))))],
        isVoid: true,
      }),
      block('image', { data: { ref: url }, fragments: [], isVoid: true }),
    ],
  }),
  empty('file', { ref: file }),
  { ...empty('file', { ref: file }), fragments: [fragment('caption', words)] },
  empty('drawing', {}),
  empty('drawing', { ref: file }),
  empty('embed', { url: 'https://x.y/?a=1&b="2"', fullWidth: true }),
  { ...empty('embed', { url: 'https://x.y' }), fragments: [fragment('caption', words)] },
  ...REFS.map((ref) => empty('content-ref', { ref })),
  empty('reusable-content', { ref: { kind: 'reusable-content', reusableContent: 'r' } }),
  empty('reusable-content', { ref: { kind: 'reusable-content', reusableContent: 'r', space: 's' } }),
  block('expandable', {
    data: { defaultExpanded: true },
    isVoid: true,
    fragments: [fragment('expandable-title', paragraph(text('T'), note(words))), fragment('expandable-body', ...CELL_BLOCKS)],
  }),
  block('tabs', {
    data: { fullWidth: true },
    nodes: [
      block('tabs-item', { data: { title: 'A', icon: 'x' }, nodes: [words] }),
      block('tabs-item', { data: {}, nodes: [empty('embed', { url: 'u' }), words] }),
    ],
  }),
  block('stepper', { nodes: [block('stepper-step', { data: { icon: 'x' }, nodes: CELL_BLOCKS })] }),
  block('columns', {
    data: { fullWidth: true },
    isVoid: false,
    nodes: [
      block('column', { data: { width: { unit: '%', value: 50 }, verticalAlignment: 'middle' }, nodes: [words] }),
      block('column', { data: { width: 100 }, nodes: CELL_BLOCKS }),
    ],
  }),
  block('if', { data: { expression: 'visitor.claims.unsigned.x === true' }, nodes: CELL_BLOCKS }),
  block('updates', {
    data: { format: 'short' },
    nodes: [
      block('update', { data: { date: '2025-12-25T00:00:00.000Z', tags: [{ kind: 'tag', tag: 'a' }] }, nodes: [words] }),
    ],
  }),
  block('prompt', {
    data: { description: 'd', icon: 'x', openInAIProviders: false, defaultExpanded: 'partial' },
    nodes: [words],
  }),
  empty('integration', {
    integration: 'mermaid', block: 'diagram', props: { a: 'b', list: [1, { c: null }], text: '[1]', off: false },
    action: { action: 'render', x: 1 }, url: 'https://x.y', fullWidth: false,
  }),
  empty('swagger', { ref: url, path: '/pets/{id}', method: 'get', expanded: true, fullWidth: true }),
  empty('openapi-operation', { ref: spec, path: '/pets', method: 'post' }),
  empty('openapi-webhook', { ref: spec, name: 'new pet', method: 'post' }),
  empty('openapi-schemas', { ref: spec, schemas: ['A', 'B'], grouped: false }),
  grid,
  cards,
]; // prettier-ignore

const canonical = (nodes: readonly BlockNode[]): unknown =>
  JSON.parse(JSON.stringify(canonicalBlocks(nodes)));
const roundTrip = (nodes: BlockNode[]): unknown =>
  canonical(parseDocument(toMarkdown({ object: 'document', data: {}, nodes })).nodes);

describe('document -> Markdown -> document keeps', () => {
  it.each(MARKS.map((one) => [`${one.type} ${JSON.stringify(one.data ?? {})}`, one] as const))(
    'the mark %s',
    (_name, one) => {
      const nodes = [paragraph(text('a '), text('b', one), text(' c'))];
      expect(roundTrip(nodes)).toEqual(canonical(nodes));
    },
  );

  it.each(INLINES.map((one) => [JSON.stringify(one).slice(0, 90), one] as const))(
    'the inline %s',
    (_name, one) => {
      const nodes = [
        paragraph(text('a '), one, text(' b')),
        paragraph(one),
        block('heading-1', { data: {}, nodes: [one] }),
      ];
      expect(roundTrip(nodes)).toEqual(canonical(nodes));
    },
  );

  it.each(BLOCKS.map((one) => [JSON.stringify(one).slice(0, 90), one] as const))(
    'the block %s',
    (_name, one) => {
      const nodes = [words, one, words];
      expect(roundTrip(nodes)).toEqual(canonical(nodes));
      expect(roundTrip([block('hint', { data: { style: 'info' }, nodes: [one] })])).toEqual(
        canonical([block('hint', { data: { style: 'info' }, nodes: [one] })]),
      );
    },
  );
});
