import { flag, like, listOf, members, oneOf, text } from '../check/shape.ts';
import { block, fullWidth, IN_TABS, length, name } from './block.ts';

/** Blocks that hold other blocks. */
export const containers = {
  hint: block({
    data: members({ 'style?': oneOf('info', 'warning', 'danger', 'success'), 'icon?': text }),
    holds: 'blocks',
    places: ['list-item', ...IN_TABS, 'expandable-body'],
  }),
  expandable: block({
    data: members({ 'defaultExpanded?': flag }),
    holds: 'nothing',
    fragments: { 'expandable-title': ['paragraph'], 'expandable-body': 'blocks' },
  }),
  tabs: block({ data: members(fullWidth), holds: ['tabs-item'] }),
  'tabs-item': block({
    data: members({ 'title?': text, 'icon?': text, 'slug?': text }),
    holds: 'blocks',
    ownText: ({ title }) => title,
  }),
  stepper: block({ holds: ['stepper-step'] }),
  'stepper-step': block({ data: members({ 'icon?': text }), holds: 'blocks' }),
  columns: block({ data: members(fullWidth), holds: ['column'] }),
  column: block({
    data: members({ 'width?': length, 'verticalAlignment?': oneOf('top', 'middle', 'bottom') }),
    holds: 'blocks',
  }),
  if: block({
    data: members({
      expression: like(/^(?!.*(?:\{%|%\}))/s, 'must be an expression, without {% and %}'),
    }),
    holds: 'blocks',
  }),
  updates: block({ data: members({ 'format?': oneOf('numeric', 'full', 'short') }), holds: ['update'] }),
  update: block({
    data: members({ 'date?': text, 'tags?': listOf(members({ kind: oneOf('tag'), tag: name })) }),
    holds: 'blocks',
  }),
  prompt: block({
    data: members({
      'description?': text,
      'icon?': text,
      'openInAIProviders?': flag,
      'defaultExpanded?': oneOf('hidden', 'partial', 'full'),
    }),
    holds: 'blocks',
  }),
};
