import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVERY_NODE } from '../../../../test/every-node.ts';
import { mutate, mutations } from '../../../../test/mutate.ts';
import { BLOCKS } from '../blocks/index.ts';
import { INLINES } from './inlines.ts';
import { checkDocument, type JSONDocument } from '../index.ts';
import { analyse, editMarkdown, parseDocument, toMarkdown } from '../../markdown/index.ts';

const problemIn = (value: unknown) => {
  const checked = checkDocument(value);
  return 'problem' in checked ? checked.problem : undefined;
};

const EVERY = JSON.parse(JSON.stringify(parseDocument(EVERY_NODE))) as JSONDocument;

describe('a submitted document', () => {
  test('is valid if the engine made it', () => {
    expect(problemIn(EVERY)).toBe(undefined);
    for (const type of [...Object.keys(BLOCKS), ...Object.keys(INLINES)]) {
      expect(JSON.stringify(EVERY)).toContain(`"type":"${type}"`);
    }
    const lines = EVERY_NODE.split('\n');
    const piece = fc.oneof(
      fc.constantFrom(...lines),
      fc.constantFrom(...EVERY_NODE.split(/(?<=[\s">%])/)),
      fc.constantFrom(...'<ol start="5000000000"><li>x|{% file src="" %}|<img src=" " class="gitbook-drawing">|<i class="fa-">x</i>|[x](octavo:page/)|[x](octavo:page/p?space=)|{% openapi-operation spec="" %}|{% @a %}|<table><thead><tr><th data-type="files">'.split('|')), // prettier-ignore
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('', '\n'), (pieces, between) => {
        expect(problemIn(JSON.parse(JSON.stringify(parseDocument(pieces.join(between)))))).toBe(undefined);
      }),
      { seed: 7, numRuns: 3000 },
    );
  });

  test('that passes the check can be written and read, whatever its content', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(), mutations, (at, all) => {
        const node = EVERY.nodes[at % EVERY.nodes.length];
        const document = mutate({ object: 'document', data: {}, nodes: [node] }, all) as JSONDocument;
        if (problemIn(document) !== undefined) return;
        accepted++;
        expect(problemIn(JSON.parse(JSON.stringify(parseDocument(toMarkdown(document)))))).toBe(undefined);
        expect(typeof editMarkdown('Some *text*.\n', document)).toBe('string');
      }),
      { seed: 7, numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'W', marks: [] }] };
  const paragraph = { object: 'block', type: 'paragraph', nodes: [text] };
  const inline = (type: string, more: object) => ({
    object: 'block',
    type: 'paragraph',
    nodes: [{ object: 'inline', type, ...more }],
  });
  const ref = (value: unknown) => inline('link', { data: { ref: value }, nodes: [text] });
  const block = (type: string, data: object, more: object = {}) => ({ object: 'block', type, data, ...more });
  const table = (definition: object, values: object) =>
    block('table', { view: { type: 'grid' }, definition, records: { r: { orderIndex: '0', values } } });

  test.each<[unknown, string]>([
    [ref({ kind: 'url', url: null }), '.nodes.0.data.ref.url: must be a string'],
    [ref({ kind: 'url' }), '.nodes.0.data.ref: must have url'],
    [ref({ kind: 'page' }), '.nodes.0.data.ref: must have page'],
    [ref({ kind: 'page', page: '' }), '.nodes.0.data.ref.page: must be a non-empty string'],
    [ref({ kind: 'zork' }), '.nodes.0.data.ref.kind: must be one of url, page, '],
    [ref(null), '.nodes.0.data.ref: must be an object with kind'],
    [inline('link', { nodes: [text] }), '.nodes.0.data: must have ref'],
    [inline('widget', { nodes: [text] }), '.nodes.0.type: must be a known type of inline: link, '],
    [inline('mention', { data: { ref: { kind: 'user', user: null } } }), '.nodes.0.data.ref.user: must be a'],
    [inline('toString', {}), '.nodes.0.type: must be a known type of inline'],
    [block('zork', {}, { nodes: [paragraph] }), '.type: must be a known type of block: paragraph, '],
    [block('content-ref', { ref: { kind: 'url' } }), '.data.ref: must have url'],
    [block('images', {}, { nodes: [block('image', { ref: { kind: 'url', url: 5 } })] }), '.nodes.0.data.ref.url: '],
    [block('swagger', { ref: { kind: 'url', url: {} }, path: '', method: '' }), '.data.ref.url: must be a'],
    [block('file', { ref: { kind: 'url', url: 'x' } }), '.data.ref.kind: must be one of file'],
    [block('file', { ref: { kind: 'file', file: 'x' } }, { fragments: [{ object: 'fragment', fragment: 'other', nodes: [paragraph] }] }), '.fragments.0.fragment: must be one of caption'],
    [block('hint', { style: 'zork' }), '.data.style: must be one of info, '],
    [block('hint', {}, { nodes: [text] }), '.nodes.0: must be a block, not text'],
    [block('math', { formula: 'x' }, { nodes: [text] }), '.nodes.0: must be absent, not text'],
    [block('list-unordered', {}, { nodes: [paragraph] }), '.nodes.0: must be of type list-item, not paragraph'],
    [block('list-item', {}, { nodes: [paragraph] }), ': must be a block, not list-item'],
    [block('paragraph', {}, { nodes: [paragraph] }), '.nodes.0: must be an inline or a text, not paragraph'],
    [block('paragraph', { align: '"><script>' }), '.data.align: must be one of start, '],
    [block('heading-1', { id: '"><script>' }), '.data.id: must have only '],
    [block('paragraph', {}, { nodes: [{ object: 'text', leaves: [{ text: 'x', marks: [{ type: 'zork' }] }] }] }), '.nodes.0.leaves.0.marks.0.type: must be one of bold, '],
    [block('paragraph', {}, { nodes: [{ object: 'text', leaves: [{ text: 'x' }] }] }), '.nodes.0.leaves.0: must have marks'],
    [inline('link', { data: { ref: { kind: 'url', url: 'x' } }, nodes: [{ object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'y' } }, nodes: [text] }] }), '.nodes.0.nodes.0: must be of type text or inline-image'],
    [table({ c: { type: 'content-ref' } }, { c: { kind: 'url', url: 5 } }), '.data.records.r.values.c.url: must be'],
    [table({ c: { type: 'image' } }, { c: { ref: { kind: 'url', url: 5 } } }), '.data.records.r.values.c.ref.url: '],
    [table({ c: { type: 'select', options: 'x' } }, {}), '.data.definition.c.options: must be a list'],
    [table({ c: { type: 'text' } }, { c: 'no fragment' }), '.data.records.r.values.c: must be the name of the fragment'],
  ])('%#: with an error is rejected with its reason and path', (node, expected) => {
    const problem = problemIn({ object: 'document', nodes: [paragraph, node] });
    expect(`${problem?.path}: ${problem?.rule}`).toContain(`.nodes.1${expected}`);
  }); // prettier-ignore

  test('may contain values that need care in Markdown', () => {
    const document = {
      object: 'document',
      data: {},
      nodes: [
        block('integration', { integration: 'a', block: 'b', props: { x: { toString: 1, valueOf: 2 } } }),
        inline('emoji', { data: { code: `1${'-1'.repeat(300_000)}` } }),
      ],
    } as unknown as JSONDocument;
    expect(problemIn(document)).toBe(undefined);
    const reparsed = parseDocument(toMarkdown(document));
    expect(reparsed.nodes[0]?.data).toMatchObject({ props: { x: { toString: 1, valueOf: 2 } } });
    expect(analyse(toMarkdown(document)).plainText).toEqual(expect.any(String));
  });

  test('may have several paragraphs where Markdown allows one: they become its lines', () => {
    const fragment = (name: string, count: number) => ({
      object: 'fragment',
      fragment: name,
      nodes: Array.from({ length: count }, () => paragraph),
    });
    const image = block(
      'image',
      { ref: { kind: 'url', url: 'a.png' } },
      { fragments: [fragment('caption', 2), fragment('caption', 1)] },
    );
    const document = {
      object: 'document',
      data: {},
      nodes: [
        block('images', {}, { nodes: [image] }),
        block('expandable', {}, { fragments: [fragment('expandable-title', 2)] }),
      ],
    } as unknown as JSONDocument;
    expect(problemIn(document)).toBe(undefined);
    expect(analyse(toMarkdown(document)).plainText).toBe('W\nW\nW\nW\nW');
  });
});
