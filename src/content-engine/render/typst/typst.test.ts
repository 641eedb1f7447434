import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERY_NODE } from '../../../../test/every-node.ts';
import { mutate, mutations } from '../../../../test/mutate.ts';
import {
  checkDocument,
  recordsInOrder,
  type BlockNode,
  type ContentRef,
  type JSONDocument,
} from '../../document/index.ts';
import { parseDocument } from '../../markdown/index.ts';
import {
  BookTooLong,
  pictureKey,
  picturesIn,
  typesetBook,
  type Book,
  type BookPage,
  type Typeset,
} from './index.ts';
import { breakable, literal, words } from './literal.ts';
import { formula } from './math/index.ts';

const page = (body: string, more: Partial<BookPage> = {}): BookPage => ({
  id: 'one',
  title: 'One',
  depth: 0,
  document: parseDocument(body),
  ...more,
});

const markupOf = ({ sheets }: Typeset): string => sheets.map(({ markup }) => markup).join('\n');
const mainOf = (body: string, more: Partial<Book> = {}): string =>
  markupOf(typesetBook({ title: 'Book', pages: [page(body)], ...more }));

/** The value of a Typst string literal, and the text after it. */
function readLiteral(source: string): { text: string; rest: string } {
  let text = '';
  for (let at = 1; at < source.length; at += 1) {
    const char = source[at] as string;
    if (char === '"') return { text, rest: source.slice(at + 1) };
    if (char === '\\') text += source[++at] === 'n' ? '\n' : source[at];
    else text += char;
  }
  throw new Error('the string has no end');
}

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'#$\\[]*_`<@/"\'=-+{}()~\n\t:;,.&|^%!?\u0000\u2028aé中😀') }),
  fc.constantFrom(
    '"#panic()',
    '\\',
    '\\"',
    '#let x = 1',
    '$x$',
    '`',
    '//',
    '/*',
    '<a>',
    '@a',
    ']#read("/etc/passwd")[',
    '\ud800',
  ),
);

const cleaned = (text: string): string =>
  text
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\ufffd')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    // oxlint-disable-next-line no-control-regex -- characters that are not preserved
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');

describe('text', () => {
  it('is one string literal with the same value, for any text', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        expect(readLiteral(literal(text))).toEqual({ text: cleaned(text), rest: '' });
      }),
      { numRuns: 2000 },
    );
  });

  it('is nothing but literals and line breaks in content', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        let source = words(text);
        let read = '';
        while (source !== '') {
          const isBreak = source.startsWith('#linebreak()');
          expect(isBreak || source.startsWith('#"')).toBe(true);
          const { text: part, rest } = isBreak
            ? { text: '\n', rest: source.slice('#linebreak()'.length) }
            : readLiteral(source.slice(1));
          read += part;
          source = rest;
        }
        expect(read.replaceAll('\u200b', '')).toBe(cleaned(text).replaceAll('\u200b', ''));
      }),
      { numRuns: 2000 },
    );
  });

  it('may break in long URLs, after punctuation, and nowhere else', async () => {
    expect(breakable('a short word')).toBe('a short word');
    expect(breakable('https://example.com/a/long/path')).toBe(
      'https://\u200bexample.\u200bcom/\u200ba/\u200blong/\u200bpath',
    );
    expect(
      breakable('x'.repeat(50))
        .split('\u200b')
        .map((run) => run.length),
    ).toEqual([20, 20, 10]);
  });
});

describe('links', () => {
  const refs: Readonly<Record<string, ContentRef>> = {
    'two.md': { kind: 'page', page: 'two' },
    'two.md#sec': { kind: 'anchor', page: 'two', anchor: 'sec' },
    'gone.md': { kind: 'page', page: 'gone' },
  };
  const book = (body: string, describe?: Book['describe']): string =>
    markupOf(
      typesetBook({
        title: 'Book',
        pages: [
          page(body, { document: parseDocument(body, { resolve: ({ href }) => refs[href] }) }),
          page('## Sec\n\n<details>\n<summary>More</summary>\n\nx\n\n</details>', {
            id: 'two',
            title: 'Two',
          }),
        ],
        describe,
      }),
    );

  it('jump to pages and headings of the book', () => {
    const main = book('[a](two.md) [b](two.md#sec)');
    expect(main).toContain('#jump("p1")[#"a"]');
    expect(main).toMatch(/#jump\("(a\d+)"\)\[#"b"\][^]*#section\(1, 2, <\1>/);
  });

  it('lead out of the book if the caller knows a URL', async () => {
    expect(book('[a](gone.md)')).toContain('#par[#"a"]');
    expect(book('[a](gone.md)', () => ({ url: 'https://x.org/gone' }))).toContain(
      '#out("https://x.org/gone")[#"a"]',
    );
  });

  it('lead only to allowed targets', async () => {
    expect(mainOf('[a](javascript:alert%281%29) [b](https://x.org) [c](relative.md)')).toContain(
      '#par[#"a"#" "#out("https://x.org")[#"b"]#" "#"c"]',
    );
  });
});

describe('blocks', () => {
  it('of a reusable content are included in place, and never recursively', async () => {
    const include = (id: string, text: string): JSONDocument =>
      parseDocument(`${text}\n\n{% include "/reusable-content/${id}" %}`);
    const main = mainOf('{% include "/reusable-content/a" %}', {
      reusableContents: new Map([
        ['a', include('b', 'first')],
        ['b', include('a', 'second')],
      ]),
    });
    expect(main.match(/#"(first|second)"/g)).toEqual(['#"first"', '#"second"']);
  });

  it('of reusable contents with exponential includes are rejected, not typeset', async () => {
    const level = (n: number) => parseDocument(`{% include "/reusable-content/${n}" %}\n\n`.repeat(20));
    const reusableContents = new Map([1, 2, 3, 4, 5].map((n) => [String(n), level(n + 1)]));
    reusableContents.set('6', parseDocument('text'));
    const book = { title: 'Book', pages: [page('', { document: level(1) })], reusableContents };
    expect(() => typesetBook(book)).toThrow(BookTooLong);
  });

  it('show an image if it is available, and otherwise its alternative text', async () => {
    const body = '![here](a.png)\n\n![away](b.png)';
    const document = parseDocument(body);
    expect(picturesIn([document]).map(pictureKey)).toEqual(['a.png', 'b.png']);
    const typeset = typesetBook({
      title: 'Book',
      pages: [page('', { document })],
      pictures: new Set(['a.png']),
    });
    expect([...typeset.pictures]).toEqual([['/picture/0', { kind: 'url', url: 'a.png' }]]);
    expect(typeset.sheets[0]?.files).toEqual(['/picture/0']);
    expect(markupOf(typeset)).toContain('picture("/picture/0", "here", auto, auto, false)');
    expect(markupOf(typeset)).toContain('missing[#"away"]');
  });

  it('are never nested deeper than Typst supports', async () => {
    const main = mainOf(`${'> '.repeat(30)}deep`);
    expect(main.match(/#quote\(block: true\)\[#quote/g)?.length).toBeLessThan(15);
    expect(main).toContain('#"deep"');
  });

  it('of any shape that the check accepts are typeset without an error', () => {
    const every = JSON.parse(JSON.stringify(parseDocument(EVERY_NODE))) as JSONDocument;
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(), mutations, (at, all) => {
        const node = every.nodes[at % every.nodes.length];
        const checked = checkDocument(mutate({ object: 'document', data: {}, nodes: [node] }, all));
        if (!('document' in checked)) return;
        accepted++;
        const pictures = new Set(picturesIn([checked.document]).map(pictureKey));
        const { document } = checked;
        const { sheets } = typesetBook({ title: 'x', pages: [page('', { document })], pictures });
        expect(sheets).toHaveLength(1);
      }),
      { numRuns: 3000, seed: 20_261_115 },
    );
    expect(accepted).toBeGreaterThan(300);
  });
});

describe('a long page', () => {
  it('has its navigation label in contents and outline, and its title at its beginning', () => {
    const { sheets } = typesetBook({
      title: 'x',
      pages: [page('', { title: 'Heading', linkTitle: 'Label' })],
    });
    expect(sheets.flatMap(({ places }) => places)).toMatchObject([{ title: 'Label', inContents: true }]);
    const [{ markup } = { markup: '' }] = sheets;
    expect(markup).toContain('Heading');
    expect(markup).not.toContain('Label');
  });

  it('continues on further sheets, in order, with all its anchors and images', () => {
    const body = Array.from(
      { length: 130 },
      (_, n) => `## Heading ${n}\n\n![](${n}.png)\n\n${'word '.repeat(100)}`,
    ).join('\n\n');
    const document = parseDocument(body);
    const { sheets } = typesetBook({
      title: 'Book',
      pages: [page('', { document })],
      pictures: new Set(picturesIn([document]).map(pictureKey)),
    });
    expect(sheets.length).toBeGreaterThan(2);
    expect(sheets.flatMap(({ places }) => places).map(({ title }) => title)).toEqual([
      'One',
      ...Array.from({ length: 130 }, (_, n) => `Heading ${n}`),
    ]);
    expect(new Set(sheets.flatMap(({ files }) => files)).size).toBe(130);
    for (const { files } of sheets) expect(files.length).toBeLessThan(60);
    for (const { markup, places, files } of sheets) {
      for (const { label } of places) expect(markup).toContain(`<${label}>`);
      expect([...new Set(markup.match(/\/picture\/\d+/g))]).toEqual(files);
    }
  });
});

describe('a long list or table', () => {
  const numbers = Array.from({ length: 3000 }, (_, n) => n);

  it.each([
    ['bullets', (n: number) => `- Entry ${n} ${'word '.repeat(20)}`, ''],
    ['tasks', (n: number) => `- [x] Entry ${n} ${'word '.repeat(20)}`, ''],
    ['rows', (n: number) => `| Entry ${n} | ${'word '.repeat(20)} |`, '| A | B |\n| - | - |\n'],
  ])('continues on further sheets, in order: %s', (_name, line, head) => {
    const { sheets } = typesetBook({ title: 'Book', pages: [page(head + numbers.map(line).join('\n'))] });
    expect(sheets.length).toBeGreaterThan(2);
    const entries = markupOf({ sheets } as Typeset).matchAll(/Entry (\d+)/g);
    expect(Array.from(entries, ([, number]) => Number(number))).toEqual(numbers);
  });

  it('keeps the order of rows without an index', () => {
    const document = parseDocument(
      `| A | B |\n| - | - |\n${numbers.map((n) => `| Entry ${n} | b |`).join('\n')}`,
    );
    const [table] = document.nodes as [Extract<BlockNode, { type: 'table' }>];
    const records = Object.fromEntries(
      recordsInOrder(table.data.records).map(([id, { orderIndex: _index, ...record }]) => [id, record]),
    );
    const unindexed = { ...table, data: { ...table.data, records } } as BlockNode;
    const markup = mainOf('', { pages: [page('', { document: { ...document, nodes: [unindexed] } })] });
    const entries = markup.matchAll(/Entry (\d+)/g);
    expect(Array.from(entries, ([, number]) => Number(number))).toEqual(numbers);
  });

  it('has few items on each sheet, however short they are', () => {
    const { sheets } = typesetBook({ title: 'Book', pages: [page('- a\n'.repeat(20_000))] });
    for (const { markup } of sheets) expect(markup.split('[a]').length).toBeLessThan(5000);
  });

  it('continues its numbers', () => {
    const markup = mainOf(numbers.map((n) => `${n + 7}. Entry`).join('\n'));
    const starts = Array.from(markup.matchAll(/#enum\(tight: true, start: (\d+)/g), ([, start]) =>
      Number(start),
    );
    expect(starts).toEqual(Array.from({ length: 12 }, (_, index) => 7 + 250 * index));
  });
});

describe('a wide table with short rows', () => {
  const wide = (count: number): string =>
    `${'|a'.repeat(count)}|\n${'|-'.repeat(count)}|\n${'|x|\n'.repeat(count)}`;
  const inHint = (table: string): string => `{% hint %}\n${table}\n{% endhint %}`;

  it('fills up as many cells of a row as on the page, and spans the rest', () => {
    const markup = mainOf(inHint(wide(500)));
    expect(markup.match(/\[\]/g)?.length).toBeLessThan(500 * 55);
    expect(markup.match(/table\.cell\(colspan: 449\)\[\]/g)).toHaveLength(500);
    expect(mainOf(inHint(wide(50)))).not.toContain('colspan');
  });

  it('has all columns once, and in its further portions those of its rows and as many as are filled up', () => {
    const markup = mainOf(wide(500));
    const headers = Array.from(markup.matchAll(/table\.header\((.*?)\), /g), ([, titles = '']) => titles);
    expect(headers.map((titles) => titles.split(', ').length)).toEqual([500, ...Array(499).fill(51)]);
    expect(markup.match(/\[#"x"\]/g)).toHaveLength(500);
  });
});

describe('formulas', () => {
  it.each([
    ['x^2', '$attach(x, t: 2)$'],
    ['a - b', '$a − b$'],
    ['a_{i,j}', '$attach(a, b: i \\, j)$'],
    ['\\frac{1}{2}', '$frac(1, 2)$'],
    ['\\text{if } x', '$"if " x$'],
    ['\\left(a\\right)', '$lr(\\( a \\))$'],
    ['\\begin{pmatrix}1&0\\\\0&1\\end{pmatrix}', '$mat(delim: "(", 1, 0 ; 0, 1)$'],
    ['\\sum\\limits_{i} a', '$attach(limits(∑), b: i) a$'],
    ['\\left(a \\middle. b\\right)', '$lr(\\( a b \\))$'],
    ['{a \\over b}', '$frac(a, b)$'],
    ['a \\\\[6pt] b', '$a \\  b$'],
    ['\\text{costs \\$5 where $x$}', '$"costs $5 where " x$'],
    ['\\operatorname*{arg\\,min}_x', '$attach(op("arg min", limits: #true), b: x)$'],
    ['{\\bf x} y', '$bold(upright(x)) y$'],
    ['\\frac{\\lfloor x}{2}', '$frac(\\⌊ x, 2)$'],
    ['\\not\\equiv', '$≢$'],
    ['\\begin{array}{c|c}1&2\\\\\\hline 3&4\\end{array}', 'augment: #(hline: (1,), vline: (1,))'],
    ['\\begin{pmatrix}a\\!\\\\b\\end{pmatrix}', '#h(-0.17em) ; b'],
  ])('%s', (latex, math) => {
    expect(formula(latex, false)).toContain(math);
  });

  it.each([
    '\\unknown{x}',
    '{',
    '}',
    'x^',
    '\\frac{1}',
    '#read("x")',
    'a^b^c',
    '\\begin{x}',
    '\\hspace{x}',
    '\\text{$}',
    'a \\over b \\over c',
  ])('%s is shown as its source', (latex) => {
    expect(formula(latex, false)).toMatch(/^#raw\(/);
  });
});
