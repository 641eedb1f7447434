import { flag, integer, members } from '../check/shape.ts';
import { block, PLACES } from './block.ts';

const list = block({ holds: ['list-item'], places: PLACES });

export const lists = {
  'list-ordered': block({
    data: members({ 'start?': integer(0, 999_999_999) }),
    holds: ['list-item'],
    places: PLACES,
    meaningful: ({ start }) => (start === 1 || start === undefined ? {} : { start }),
  }),
  'list-unordered': list,
  'list-tasks': list,
  'list-item': block({
    data: members({ 'checked?': flag }),
    holds: 'blocks',
    meaningful: ({ checked }) => (checked === true ? { checked } : {}),
  }),
};
