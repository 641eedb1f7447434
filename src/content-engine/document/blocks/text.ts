import { like, members, oneOf, text as string } from '../check/shape.ts';
import { block, IN_TABS, PLACES } from './block.ts';

const aligned = { 'align?': oneOf('start', 'center', 'end') };

const onlyLine = (_data: object, lines: () => string[]): string | undefined => lines()[0];

const heading = block({
  data: members({ 'id?': like(/^[-a-z0-9.+_]+$/, 'must have only a-z, 0-9 and -.+_'), ...aligned }),
  holds: 'inlines',
  places: PLACES,
  ownText: onlyLine,
  meaningful: (data) => (data.align === 'start' ? { ...data, align: undefined } : data),
});

export const text = {
  paragraph: block({
    data: members(aligned),
    holds: 'inlines',
    places: PLACES,
    ownText: onlyLine,
    meaningful: (data) => (data.align === 'start' ? {} : data),
  }),
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  blockquote: block({
    holds: 'blocks',
    places: ['blockquote', 'list-item', ...IN_TABS, 'expandable-body'],
  }),
  divider: block({ holds: 'nothing', places: PLACES }),
  math: block({
    data: members({ formula: string }),
    holds: 'nothing',
    places: ['list-item', ...IN_TABS],
    ownText: ({ formula }) => formula,
  }),
};
