import { describe, expect, it } from 'vitest';
import { comparable } from '../../../../test/commonmark/compare.ts';
import { parseDocument } from '../../markdown/index.ts';
import { renderHtml } from './index.ts';

/** The rules of the extensions of GitHub Flavored Markdown, with our own texts. */

const htmlOf = (body: string): string => renderHtml(parseDocument(body)).html;
const link = (text: string, href = text): string => `<a href="${href}">${text}</a>`;

describe('tables of GFM', () => {
  const row = (cells: readonly string[], name: string): string =>
    `<tr>${cells.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>`;
  const table = (head: readonly string[], ...rows: readonly (readonly string[])[]): string =>
    `<table><thead>${row(head, 'th')}</thead><tbody>${rows.map((one) => row(one, 'td')).join('')}</tbody></table>`;

  it.each([
    ['a header and a row', '| a | b |\n| --- | --- |\n| c | d |', table(['a', 'b'], ['c', 'd'])],
    ['no outer pipes', 'a | b\n--- | ---\nc | d', table(['a', 'b'], ['c', 'd'])],
    [
      'pipes that are escaped, also in code',
      '| a |\n| - |\n| b `\\|` c |\n| d **\\|** e |',
      table(['a'], ['b <code>|</code> c'], ['d <strong>|</strong> e']),
    ],
    [
      'a row that ends the table at a block',
      '| a |\n| - |\n| b |\n> c',
      `${table(['a'], ['b'])}<blockquote><p>c</p></blockquote>`,
    ],
    ['an end at a blank line', '| a |\n| - |\nb\n\nc', `${table(['a'], ['b'])}<p>c</p>`],
    ['no table where the counts differ', '| a | b |\n| - |\n| c |', '<p>| a | b | | - | | c |</p>'],
    ['rows that are shorter', '| a | b |\n| - | - |\n| c |', table(['a', 'b'], ['c', ''])],
    ['rows that are longer', '| a |\n| - |\n| b | c |', table(['a'], ['b'])],
    ['marks in cells', '| *a* |\n| - |\n| [b](/c) |', table(['a'], ['<a href="/c">b</a>'])],
    ['no rows', '| a |\n| - |', table(['a'])],
  ])('have %s', (_, body, expected) => {
    expect(comparable(htmlOf(body))).toBe(comparable(expected));
  });

  it('have alignments', () => {
    const html = htmlOf('| a | b | c |\n| :- | :-: | -: |\n| d | e | f |');
    expect(html.match(/class="\w+"/g)).toContain('class="center"');
    expect(comparable(html)).toBe(
      comparable(
        '<table><thead><tr><th>a</th><th align="center">b</th><th align="right">c</th></tr></thead>' +
          '<tbody><tr><td>d</td><td align="center">e</td><td align="right">f</td></tr></tbody></table>',
      ),
    );
  });
});

describe('tasks of GFM', () => {
  it('are checked by either letter', () => {
    const checked = (body: string): number => (htmlOf(body).match(/ checked /g) ?? []).length;
    expect(checked('- [x] a\n- [X] b\n- [ ] c')).toBe(2);
    expect(htmlOf('- [x] a')).toContain('<ul class="tasks">');
  });

  it('nest, and contain marks', () => {
    const html = htmlOf('- [x] a\n  - [ ] **b**\n- [ ] c');
    expect(html.match(/<ul class="tasks">/g)).toHaveLength(2);
    expect(html).toContain('<strong>b</strong>');
  });

  it('need a space in the brackets, and one behind them', () => {
    expect(htmlOf('- [] a')).not.toContain('<input');
    expect(htmlOf('- [x]a')).not.toContain('<input');
  });
});

describe('strikethrough of GFM', () => {
  it('needs two tildes', () => {
    expect(htmlOf('~~a~~ b')).toBe('<p><del>a</del> b</p>');
    expect(htmlOf('~~~a~~~ b')).not.toContain('<del>');
  });

  it('does not span paragraphs', () => {
    expect(htmlOf('~~a\n\nb~~')).toBe('<p>~~a</p><p>b~~</p>');
  });

  it('deviates for one tilde, which means "about" in many texts', () => {
    expect(htmlOf('~5 to ~7')).toBe('<p>~5 to ~7</p>');
  });
});

describe('autolinks of GFM', () => {
  it.each([
    ['www.example.org', link('www.example.org', 'http://www.example.org')],
    ['see www.example.org/a_b.', `see ${link('www.example.org/a_b', 'http://www.example.org/a_b')}.`],
    ['https://example.org/?a=b&c=d', link('https://example.org/?a=b&amp;c=d')],
    ['(see https://example.org/a)', `(see ${link('https://example.org/a')})`],
    ['https://example.org/a(b)', link('https://example.org/a(b)')],
    ['https://example.org/a(b))', `${link('https://example.org/a(b)')})`],
    ['https://example.org/a?!.,:', `${link('https://example.org/a')}?!.,:`],
    ['https://example.org/x&copy;y', link('https://example.org/x©y')],
    ['https://example.org/a;', link('https://example.org/a;')],
    ['me@example.org', link('me@example.org', 'mailto:me@example.org')],
    ['a.b-c_d@a.b, x', `${link('a.b-c_d@a.b', 'mailto:a.b-c_d@a.b')}, x`],
    ['a.b-c_d@a.b.', `${link('a.b-c_d@a.b', 'mailto:a.b-c_d@a.b')}.`],
    ['a.b-c_d@a.b-', 'a.b-c_d@a.b-'],
    ['a.b-c_d@a.b_', 'a.b-c_d@a.b_'],
    ['hello@mail+xyz.example', 'hello@mail+xyz.example'],
    ['https://no-dot', 'https://no-dot'],
    ['https://a_b.c_d', 'https://a_b.c_d'],
    ['ftp://example.org', 'ftp://example.org'],
    ['xhttps://example.org', 'xhttps://example.org'],
    ['`https://example.org`', '<code>https://example.org</code>'],
    ['**https://example.org**', `<strong>${link('https://example.org')}</strong>`],
    ['[https://a.org](https://b.org)', link('https://a.org', 'https://b.org')],
    ['https://münchen.example/straße', link('https://münchen.example/straße')],
  ])('link %s', (body, expected) => {
    expect(htmlOf(body)).toBe(`<p>${expected}</p>`);
  });
});
