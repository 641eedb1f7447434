import { ANY_NAME } from '../check/node.ts';
import { anObject, type Shape } from '../check/shape.ts';
import type { TableData } from '../table-types.ts';
import { block } from './block.ts';

export const tables = {
  table: block({
    // `check/table.ts` checks the data, whose shape depends on the columns.
    data: anObject as Shape<TableData>,
    holds: 'nothing',
    fragments: { [ANY_NAME]: 'blocks' },
    places: ['list-item', 'column', 'expandable-body'],
    ownText: ({ definition = {} }) =>
      Object.values(definition)
        .map(({ title }) => title ?? '')
        .filter((title) => title !== '')
        .join('\n'),
  }),
};
