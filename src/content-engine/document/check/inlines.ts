import { COLORS } from '../../markdown/read/marks.ts';
import { shows, type NodeShape } from './node.ts';
import { anyRef, pictureRef } from './refs.ts';
import { isObject, like, listOf, members, oneOf, someText, text, unless, type Shape } from './shape.ts';

const icon = like(/^\S*$/, 'must be the name of an icon');

const button = {
  label: text,
  'kind?': oneOf('primary', 'secondary'),
  'icon?': text,
  'size?': oneOf('small', 'medium', 'large'),
};

const IN_LINKS = 'text inline-image emoji icon expression inline-math mention button'.split(' ');

export const INLINES: ReadonlyMap<string, NodeShape> = new Map<string, NodeShape>([
  // Of two links, one in the other, Markdown keeps one.
  ['link', { data: members({ ref: anyRef }), holds: IN_LINKS }],
  [
    'inline-image',
    shows({
      ref: pictureRef,
      'refDark?': pictureRef,
      'caption?': text,
      'alt?': text,
      'size?': oneOf('original', 'line'),
    }),
  ],
  ['emoji', shows({ code: someText })],
  ['icon', shows({ icon })],
  ['expression', shows({ expression: text })],
  ['inline-math', shows({ formula: text })],
  ['mention', shows({ ref: anyRef })],
  [
    'button',
    {
      data: unless(
        members({ ...button, ref: anyRef }),
        'action',
        members({ ...button, action: members({ action: text, 'query?': text, 'slug?': text }) }),
      ),
      holds: 'nothing',
    },
  ],
  ['annotation', { holds: 'texts', fragments: { 'annotation-body': 'blocks' } }],
]);

const color = oneOf(...COLORS);
const MARK_TYPES = ['bold', 'italic', 'code', 'keyboard', 'strikethrough', 'superscript', 'subscript'];
const markType = oneOf(...MARK_TYPES, 'color');

const mark: Shape = (value, path) => {
  if (!isObject(value)) return { path, rule: 'must be a mark' };
  const problem = markType(value['type'], `${path}.type`);
  if (problem || value['type'] !== 'color') return problem;
  return members({ data: members({ text: color, background: color }) })(value, path);
};

export const LEAVES = listOf(members({ text, marks: listOf(mark) }));
