import { describe, expect, it } from 'vitest';
import { isBudgetExceeded } from '../budget.ts';
import { evaluateDocument } from '../evaluation/index.ts';
import { readFolder } from '../folder/index.ts';
import { sizeOfDocument, type JSONDocument } from '../document/index.ts';
import { parseDocument, toMarkdown } from './index.ts';

const SIZE = 2_000_000;
const fill = (text: string, size = SIZE): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);

/** Pages of 2 MB whose documents would be many times as large. */
const LARGE: Record<string, string> = {
  'setext headings': fill('a\n=\n'),
  'rows of a table': fill('-|-\n'),
  'cells': `|a|b|\n|-|-|\n${fill('|x|y|\n')}`,
  'columns': `${fill('|a', SIZE / 2)}|\n${fill('|-', SIZE / 2)}|\n`,
  'rows of an HTML table': `<table>${fill('<tr><td>a</td></tr>')}</table>`,
  'lines of code': `~~~\n${fill('a\n')}~~~\n`,
  'verbatim lines': `<x>\n${fill('a\n')}`,
  'items': fill('* a\n'),
  'hints': fill('{% hint %}\na\n{% endhint %}\n'),
  'links': fill('[a](b) '),
  'autolinks': fill('<https://a.b> '),
  'images': fill('![a](b) '),
  'formulas': fill('$$a$$ '),
  'code spans': fill('`a` '),
  'emphasis': fill('*a* b '),
  'brackets': fill('['),
  'entities': fill('&amp;'),
  'definitions': Array.from({ length: 150_000 }, (_one, at) => `[a${at}]: b\n`).join(''),
  'footnotes': Array.from({ length: 150_000 }, (_one, at) => `[^${at}]: x\n`).join(''),
  'paragraphs': fill('a\n\n'),
}; // prettier-ignore

function bytesOf(text: string): number | 'refused' {
  try {
    return JSON.stringify(parseDocument(text)).length;
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    return 'refused';
  }
}

describe('a document is bounded', () => {
  it.each(Object.entries(LARGE))('in the number of its %s', (_name, text) => {
    expect(bytesOf(text)).toBe('refused');
  });

  it.each([['words', 'word '], ['long lines', `${'word '.repeat(200)}\n\n`], ['stars', '*'], ['quotes', '> ']])(
    'but not in the length of its %s',
    (_name, text) => {
      expect(bytesOf(fill(text))).toBeLessThan(2 * SIZE);
    },
  ); // prettier-ignore

  it('with an error that says what to do', () => {
    expect(() => parseDocument(fill('a\n=\n'))).toThrow('has more than 100,000 blocks');
    expect(() => parseDocument(fill('a\n=\n'))).toThrow('Split it into several pages');
  });
});

describe('link references', () => {
  const definition = `[a]: http://${'x'.repeat(20_000)}\n\n`;

  it('add a bounded amount to a document, and stay text beyond that', () => {
    const text = definition + fill('[a] ', 80_000);
    expect(bytesOf(text)).toBeLessThan(5 * text.length);
    const document = JSON.stringify(parseDocument(text));
    expect(document).toContain('"type":"link"');
    expect(document).toContain('[a] [a]');
  });

  it('are bounded together with those of images and full references', () => {
    for (const use of ['![a] ', '[a][a] ', '[b][a] ', '[a][] ', '> [a]\n']) {
      const text = definition + fill(use, 80_000);
      expect(bytesOf(text)).toBeLessThan(10 * text.length);
    }
  });

  it('are bounded with the titles of images, which are their captions', () => {
    const titled = `[a]: b "${'x'.repeat(20_000)}"\n\n`;
    const text = titled + fill('![a] ', 10_000);
    expect(bytesOf(text)).toBeLessThan(10 * text.length);
    expect(JSON.stringify(parseDocument(text))).toContain('"caption":"xxx');
  });

  it('are resolved if they are short', () => {
    const document = JSON.stringify(parseDocument(`[a]: b\n\n${fill('[a] ', 4000)}`));
    expect(document.match(/"type":"link"/g)).toHaveLength(1000);
  });
});

it('a folder with a too large page is imported completely, with a warning', () => {
  const bytes = Buffer.from(`# Large\n\n${LARGE['items']}`);
  const { records, texts, warnings } = readFolder([{ path: 'README.md', bytes }], {
    newId: () => 'a',
    now: 0,
  });
  expect(records.map(({ kind }) => kind)).toContain('page');
  expect([...texts.values()]).toContain(LARGE['items']);
  expect(warnings).toEqual([
    {
      path: 'README.md',
      message: expect.stringMatching(/^It has more than 100,000 blocks.*imported unchanged/),
    },
  ]);
});

it('expressions produce a bounded amount of text', () => {
  const scope = { space: { vars: { long: 'x'.repeat(256) } } };
  const long = Array.from({ length: 15 }, () => 'space.vars.long').join('+');
  const text = fill(`<code class="expression">${long}</code> `, 300_000);
  const evaluated = () => evaluateDocument(parseDocument(text), { scope, deterministicOnly: false });
  expect(evaluated).toThrow('has expressions that produce more than 1,000,000 characters');
});

describe('a submitted document', () => {
  const paragraph = { object: 'block', type: 'paragraph', nodes: [] } as const;
  const documentOf = (count: number): JSONDocument => ({
    object: 'document',
    data: {},
    nodes: Array.from({ length: count }, () => ({ ...paragraph, nodes: [] })),
  });

  it('has a bounded number of nodes', () => {
    expect(() => sizeOfDocument(documentOf(100_001))).toThrow('has more than 100,000 blocks');
  });

  it('has a size proportional to its nodes and texts', () => {
    expect(sizeOfDocument(documentOf(2000))).toBeGreaterThan(1.9 * sizeOfDocument(documentOf(1000)));
    const text = 'word '.repeat(1000);
    expect(sizeOfDocument(parseDocument(text))).toBeGreaterThan(text.length - 2);
    expect(toMarkdown(parseDocument(text)).length).toBeGreaterThan(text.length - 2);
  });
});
