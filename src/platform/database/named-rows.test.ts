import { expect, test } from 'vitest';
import { createColumnNaming } from './named-rows.ts';

const columns = (...names: string[]) => names.map((name) => ({ name }));

test('rows get the names of their columns, also after rows of other columns', () => {
  const nameColumns = createColumnNaming();
  const rows: unknown[] = [
    [1, 'a'],
    [2, null],
  ];
  nameColumns(rows, columns('id', 'title'));
  expect(rows).toEqual([
    { id: 1, title: 'a' },
    { id: 2, title: null },
  ]);
  const others: unknown[] = [[3, 'b']];
  nameColumns(others, columns('title', 'id'));
  expect(others).toEqual([{ title: 3, id: 'b' }]);
});

test('names need not be identifiers, and of equal ones the last counts, as with pg', () => {
  const nameColumns = createColumnNaming();
  const rows: unknown[] = [[1, 2, 3, 4]];
  nameColumns(rows, columns('"quoted" \\ name', '?column?', 'same', 'same'));
  expect(rows).toEqual([{ '"quoted" \\ name': 1, '?column?': 2, same: 4 }]);
});
