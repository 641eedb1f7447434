import { flag, integer, like, members, oneOf, text } from '../check/shape.ts';
import { block, fullWidth, IN_TABS } from './block.ts';

export const code = {
  code: block({
    data: members({
      'syntax?': like(/^\S*$/, 'must be the name of a language'),
      'title?': text,
      'overflow?': oneOf('scroll', 'wrap'),
      'lineNumbers?': flag,
      'expandable?': flag,
      'collapsedLineCount?': integer(1, 999_999_999),
      // Source that is not understood, and is written back unchanged.
      'verbatim?': flag,
      ...fullWidth,
    }),
    holds: ['code-line'],
    places: ['list-item', ...IN_TABS, 'expandable-body', 'annotation-body'],
    ownText: ({ title }, lines) => (title ? [title, ...lines()] : lines()).join('\n'),
    // `false` differs from absence.
    meaningful: (data) => data,
  }),
  'code-line': block({
    data: members({ 'highlighted?': flag }),
    holds: ['text', 'annotation', 'expression'],
    meaningful: ({ highlighted }) => (highlighted === true ? { highlighted } : {}),
  }),
};
