import { describe, expect, it } from 'vitest';
import {
  plainTextNode,
  readTable,
  type BlockNode,
  type JSONDocument,
  type TableBlock,
  type TableData,
} from '../../document/index.ts';
import { editMarkdown, parseDocument } from '../index.ts';

const PADDED = `Before

| **A**      |  [B](https://b.org) |  c \\| d  |
|:-----------|:-------------------:|---------:|
| one        | __two__  \`x\\|y\`   |          |
| <p>p</p><p>q</p> |four|  \\*five  |
six | *seven*

After
`;

interface Edit {
  readonly document: JSONDocument;
  readonly table: TableBlock;
  readonly data: TableData;
  readonly definition: TableData['definition'];
  readonly records: TableData['records'];
}

/** The body after an edit of its table, as a client would make it. */
function edited(body: string, change: (edit: Edit) => void): string {
  const document = structuredClone(parseDocument(body));
  const table = document.nodes.find((node) => node.type === 'table') as TableBlock;
  const { data } = table;
  change({ document, table, data, definition: data.definition, records: data.records });
  return editMarkdown(body, document);
}

const columnsOf = ({ table }: Edit): string[] => readTable(table).columns.map(({ id }) => id);
const rowsOf = ({ table }: Edit): string[] => readTable(table).rows.map(({ id }) => id);

const paragraph = (text: string): BlockNode => ({
  object: 'block',
  type: 'paragraph',
  nodes: [plainTextNode(text)],
});

function setCell(edit: Edit, row: number, column: number, nodes: BlockNode[]): void {
  const name = `new${row}${column}`;
  const record = edit.records[rowsOf(edit)[row] as string];
  if (!record) throw new Error('no such row');
  record.values[columnsOf(edit)[column] as string] = name;
  edit.table.fragments?.push({ object: 'fragment', fragment: name, nodes });
}

const withCell = (row: number, column: number, ...texts: string[]): string =>
  edited(PADDED, (edit) => setCell(edit, row, column, texts.map(paragraph)));

describe('an edit of a pipe table', () => {
  it('of one cell changes no other byte', () => {
    expect(withCell(0, 0, 'uno')).toBe(PADDED.replace('| one  ', '| uno  '));
    expect(withCell(1, 1, 'cuatro')).toBe(PADDED.replace('|four|', '|cuatro|'));
    expect(withCell(1, 2, 'a|b *')).toBe(PADDED.replace('\\*five', 'a\\|b \\*'));
    expect(withCell(2, 1, 'siete')).toBe(PADDED.replace('*seven*', 'siete'));
  });

  it('keeps the marks and links of headers, which the document does not represent', () => {
    const source = '| **A** | [B](https://b.org) |\n| - | - |\n| 1 | 2 |\n';
    const result = edited(source, (edit) => setCell(edit, 0, 1, [paragraph('3')]));
    expect(result).toBe(source.replace('| 2 |', '| 3 |'));
    const titled = edited(source, (edit) => {
      const column = edit.definition[columnsOf(edit)[1] as string];
      if (column) column['title'] = 'C';
    });
    expect(titled).toBe(source.replace('[B]', '[C]'));
  });

  it('keeps the spelling of unchanged words of a cell', () => {
    const source = '| A |\n| --- |\n| see __this__ old  &amp; more |\n';
    const result = edited(source, (edit) => {
      const [cell] = edit.table.fragments ?? [];
      const nodes = JSON.parse(JSON.stringify(cell?.nodes).replace(' old', ' new')) as BlockNode[];
      setCell(edit, 0, 0, nodes);
    });
    expect(result).toBe(source.replace('old', 'new'));
  });

  it('fills an empty cell, empties one, and adds a missing one', () => {
    expect(withCell(0, 2, 'three')).toBe(PADDED.replace('|          |', '| three    |'));
    expect(withCell(1, 1)).toBe(PADDED.replace('|four|', '||'));
    expect(withCell(2, 2, 'eight')).toBe(PADDED.replace('six | *seven*', 'six | *seven* | eight |'));
  });

  it('writes paragraphs and lists into the cell', () => {
    const list: BlockNode = {
      object: 'block',
      type: 'list-ordered',
      data: { start: 3 },
      nodes: [{ object: 'block', type: 'list-item', nodes: [paragraph('x')] }],
    };
    const result = edited(PADDED, (edit) => setCell(edit, 0, 0, [paragraph('a'), list]));
    expect(result).toBe(PADDED.replace('| one  ', '| <p>a</p><ol start="3"><li>x</li></ol>  '));
    expect(withCell(1, 0, 'p', 'r')).toBe(PADDED.replace('<p>q</p>', '<p>r</p>'));
  });

  it('keeps the HTML of a cell that is written in HTML', () => {
    const source =
      '| A |\n|---|\n| <p><code>a</code> <a href="b.md"><em>old</em></a> x</p><ul><li>c &lt; d</li></ul> |\n';
    const result = edited(source, (edit) => {
      const [cell] = edit.table.fragments ?? [];
      setCell(edit, 0, 0, JSON.parse(JSON.stringify(cell?.nodes).replace('old', 'new|er')) as BlockNode[]);
    });
    expect(result).toBe(source.replace('old', 'new&#x7c;er'));
  });

  it('changes only the lines of inserted, removed or moved rows', () => {
    const removed = edited(PADDED, (edit) => {
      delete edit.records[rowsOf(edit)[0] as string];
    });
    expect(removed).toBe(PADDED.replace(/\| one.*\n/, ''));
    const moved = edited(PADDED, (edit) => {
      const record = edit.records[rowsOf(edit)[2] as string];
      if (record) record.orderIndex = '';
    });
    const [, last = ''] = /\n(six.*)\n/.exec(PADDED) ?? [];
    expect(moved).toBe(PADDED.replace(`\n${last}`, '').replace('\n| one', `\n${last}\n| one`));
    const added = edited(PADDED, (edit) => {
      edit.records['row'] = { orderIndex: '0000000a', values: {} };
      setCell(edit, 1, 1, [paragraph('new')]);
    });
    expect(added).toBe(PADDED.replace('\n| <p>p', '\n|  | new |\n| <p>p'));
  });

  it('changes only the cell of the delimiter row whose alignment changes', () => {
    const result = edited(PADDED, (edit) => {
      const column = edit.definition[columnsOf(edit)[0] as string];
      if (column?.type === 'text') column.textAlignment = 'right';
    });
    expect(result).toBe(PADDED.replace('|:-----------|', '|---:|'));
  });

  it('keeps the text of all other cells when a column is removed', () => {
    const result = edited(PADDED, (edit) => {
      const [, second] = columnsOf(edit);
      delete edit.definition[second as string];
      const view = edit.data['view'] as { columns: string[] };
      view.columns = view.columns.filter((id) => id !== second);
    });
    expect(result).toContain(
      '| **A** | c \\| d |\n| :----------- | ---------: |\n| one |\n| <p>p</p><p>q</p> | \\*five |',
    );
  });

  it('works in quotes and lists, and with other line endings', () => {
    for (const prefix of ['> ', '  ']) {
      const first = prefix === '> ' ? '> ' : '* ';
      const source = `${first}| a |   b |\n${prefix}|---|-----|\n${prefix}| 1 |   2 |\n`;
      const change = (body: string): string => {
        const document = structuredClone(parseDocument(body));
        const text = JSON.stringify(document).replace('"text":"1"', '"text":"one"');
        return editMarkdown(body, JSON.parse(text) as JSONDocument);
      };
      expect(change(source)).toBe(source.replace('| 1', '| one'));
      expect(change(source.replaceAll('\n', '\r\n'))).toBe(
        source.replace('| 1', '| one').replaceAll('\n', '\r\n'),
      );
    }
  });
});

describe('cells of pipe tables', () => {
  const cell = (text: string): unknown => {
    const [table] = parseDocument(`| a |\n| - |\n| ${text} |\n`).nodes;
    const short = ({ type, data, nodes = [] }: BlockNode): unknown =>
      type === 'paragraph'
        ? nodes
            .map((node) =>
              node.object === 'text' ? node.leaves.map((leaf) => leaf.text).join('') : node.type,
            )
            .join('+') + (data ? ` ${JSON.stringify(data)}` : '')
        : { [type]: nodes.map((node) => short(node as BlockNode)), ...data };
    return table?.fragments?.[0]?.nodes.map(short);
  };

  it.each<[string, unknown]>([
    ['<p>one</p><p>two</p>', ['one', 'two']],
    ['one<br>two', ['one\ntwo']],
    ['one<p>two</p>three', ['one', 'two', 'three']],
    [
      '<ul><li>one</li><li>two</li></ul>',
      [{ 'list-unordered': [{ 'list-item': ['one'] }, { 'list-item': ['two'] }] }],
    ],
    [
      '<ol start="3"><li>one<li>two</ol>',
      [{ 'list-ordered': [{ 'list-item': ['one'] }, { 'list-item': ['two'] }], start: 3 }],
    ],
    [
      '<p>a</p><br><ul><li><p>b</p><ul><li>c</li></ul></li></ul><br>',
      ['a', { 'list-unordered': [{ 'list-item': ['b', { 'list-unordered': [{ 'list-item': ['c'] }] }] }] }],
    ],
    ['<p align="center">**b** [l](x.md)</p>', ['b+ +link {"align":"center"}'.replace('+ +', ' +')]],
    ['a `<p>b</p>` c', ['a <p>b</p> c']],
    ['a \\<p>b', ['a <p>b']],
    ['<ul><li>a', ['<ul><li>a']],
    ['<ul>a<li>b</li></ul>', ['<ul>a<li>b</li></ul>']],
  ])('%s', (text, expected) => {
    expect(cell(text)).toEqual(expected);
  });

  it('have headers of one line', () => {
    const [table] = parseDocument('| <p>One</p><p>Two</p> |\n| - |\n').nodes;
    const titles = table?.type === 'table' ? readTable(table).columns.map(({ title }) => title) : [];
    expect(titles).toEqual(['One Two']);
  });
});
