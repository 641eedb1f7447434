import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../markdown/index.ts';
import { renderHtml, type HtmlOptions } from '../index.ts';

const OPTIONS: HtmlOptions = {
  targetOf: (ref) =>
    ref.kind === 'user' ? { title: 'Ada' } : { href: ref.kind === 'url' ? ref.url : '/t', title: 'Target' },
  fileOf: (ref) => ({ src: ref.kind === 'url' ? ref.url : `/files/${ref.file}`, name: 'f.pdf' }),
};
const htmlOf = (body: string): string => renderHtml(parseDocument(body), OPTIONS).html;

const table = (head: string, row: string, attributes = ''): string =>
  `<table ${attributes}><thead><tr>${head}</tr></thead><tbody><tr>${row}</tr></tbody></table>`;

describe('tables', () => {
  it('renders rows and columns with a name, a header and alignments', () => {
    expect(htmlOf('## Roles\n\n| a | b |\n| :-: | -: |\n| 1 | **2** |')).toContain(
      '<div class="table" tabindex="0" role="region" aria-label="Roles"><table><thead><tr><th scope="col" class="center">a</th>' +
        '<th scope="col" class="end">b</th></tr></thead><tbody><tr><td class="center">1</td><td class="end"><strong>2</strong></td></tr></tbody></table></div>',
    );
  });

  it('gives tables below one heading different names', () => {
    const grid = '| a |\n| - |\n| b |';
    const html = htmlOf(`${grid}\n\nx\n\n${grid}`);
    expect(html).toContain('aria-label="Table"');
    expect(html).toContain('aria-label="Table (2)"');
  });

  it('renders widths, blocks in cells, and no hidden columns', () => {
    const html = htmlOf(
      table(
        '<th width="200">a</th><th data-hidden>b</th>',
        '<td><ul><li>x</li></ul></td><td>secret</td>',
        'data-full-width="true"',
      ),
    );
    expect(html).toContain('<div class="table full"');
    expect(html).toContain('<colgroup><col width="200"></colgroup>');
    expect(html).toContain('<td><ul><li>x</li></ul></td>');
    expect(html).not.toContain('secret');
  });

  it('fills up short rows, and has no empty header cells', () => {
    const html = htmlOf('| a | |\n| - | - |\n| b |');
    expect(html).toContain('<th scope="col">a</th><td></td>');
    expect(html).toContain('<td>b</td><td></td></tr>');
  });

  it.each([
    ['checkbox', 'true', '<use href="#i-check"/></svg><span class="hidden">Yes</span>'],
    [
      'checkbox',
      'false',
      '<svg class="i off" aria-hidden="true"><use href="#i-minus"/></svg><span class="hidden">No</span>',
    ],
    [
      'rating" data-max="3',
      '2',
      '<span class="rating" aria-hidden="true">★★☆</span><span class="hidden">2 of 3</span>',
    ],
    ['number', '1234.5', '<td class="num">1,234.5</td>'],
    ['users', '<span data-user="u1"></span>', '<span class="mention">'],
    ['files', '<a href="f.pdf">f</a>', '<a href="/files/f.pdf" download>f.pdf</a>'],
    ['content-ref', '<a href="p.md">p</a>', '<a class="mention" href="p.md">'],
    ['image', '<a href="i.png">i</a>', '<img src="i.png" alt=""'],
  ])('renders cells of type %s', (type, cell, expected) => {
    expect(htmlOf(table(`<th data-type="${type}">c</th>`, `<td>${cell}</td>`))).toContain(expected);
  });

  it('renders options with label and colour', () => {
    const html = htmlOf(
      table(
        '<th>s<select><option value="v" label="Ready" color="blue"></option></select></th>',
        '<td><span data-option="v">x</span></td>',
      ),
    );
    expect(html).toContain('<span class="badge" data-color="blue">Ready</span>');
  });

  it('tells that rows can be searched', () => {
    const { html, needs } = renderHtml(
      parseDocument(table('<th>a</th>', '<td>b</td>', 'data-search="true"')),
    );
    expect(html).toContain(' data-filter>');
    expect(needs).toContain('filter');
  });
});

describe('cards', () => {
  const cards = (head: string, row: string, more = ''): string =>
    table(head, row, `data-view="cards" ${more}`);
  const TARGET = '<th data-type="content-ref" data-card-target></th>';

  it('renders a cover, a title that links to the target, and other cells', () => {
    const html = htmlOf(
      cards(
        `<th>a</th><th>b</th>${TARGET}<th data-type="image" data-card-cover></th>`,
        '<td>Title [x](/y)</td><td>Text</td><td><a href="p.md">p</a></td><td><a href="i.png">i</a></td>',
        'data-card-size="large"',
      ),
    );
    expect(html).toMatch(/^<ul class="cards large"><li class="card"><img src="i.png" alt=""/);
    expect(html).toContain('<div><h2><a href="p.md">');
    expect(html).toContain('<div>Text</div>');
  });

  it('names the link of a card without a title', () => {
    const html = htmlOf(cards(TARGET, '<td><a href="p.md">p</a></td>'));
    expect(html).toContain('<h2><a href="p.md">Target</a></h2>');
  });

  it('has titles one level below the heading above', () => {
    const html = htmlOf(`## H\n\n${cards('<th>a</th>', '<td>Title</td>')}`);
    expect(html).toContain('<div><h3>Title</h3></div>');
  });
});
