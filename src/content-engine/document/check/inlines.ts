import { COLORS, PLAIN_MARKS, type InlineNode, type InlineType } from '../nodes.ts';
import type { NodeShape } from './node.ts';
import { anyRef, imageRef } from './refs.ts';
import {
  isObject,
  like,
  listOf,
  members,
  oneOf,
  someText,
  text,
  unless,
  type MemberShapes,
  type Shape,
} from './shape.ts';

type DataOf<Type extends InlineType> = NonNullable<Extract<InlineNode, { type: Type }>['data']>;

/** An inline without content of its own. */
const atom = <Type extends InlineType>(data: MemberShapes<DataOf<Type>>): NodeShape => ({
  data: members(data),
  holds: 'nothing',
});

const icon = like(/^\S*$/, 'must be the name of an icon');

const button = {
  label: text,
  'kind?': oneOf('primary', 'secondary'),
  'icon?': text,
  'size?': oneOf('small', 'medium', 'large'),
};

/** Links do not nest in Markdown. */
const IN_LINKS = [
  'text',
  'inline-image',
  'emoji',
  'icon',
  'expression',
  'inline-math',
  'mention',
  'button',
] as const;

const SHAPES: Readonly<Record<InlineType, NodeShape>> = {
  link: { data: members({ ref: anyRef }), holds: IN_LINKS },
  'inline-image': atom<'inline-image'>({
    ref: imageRef,
    'refDark?': imageRef,
    'caption?': text,
    'alt?': text,
    'size?': oneOf('original', 'line'),
  }),
  emoji: atom<'emoji'>({ code: someText }),
  icon: atom<'icon'>({ icon }),
  expression: atom<'expression'>({ expression: text }),
  'inline-math': atom<'inline-math'>({ formula: text }),
  mention: atom<'mention'>({ ref: anyRef }),
  button: {
    data: unless(
      members({ ...button, ref: anyRef }),
      'action',
      members({ ...button, action: members({ action: text, 'query?': text, 'slug?': text }) }),
    ),
    holds: 'nothing',
  },
  annotation: { holds: 'texts', fragments: { 'annotation-body': 'blocks' } },
};

/** Every inline by its type: what its `data` has, and what it holds. */
export const INLINES: ReadonlyMap<string, NodeShape> = new Map(Object.entries(SHAPES));

const color = oneOf(...COLORS);
const markType = oneOf(...PLAIN_MARKS, 'color');

const mark: Shape = (value, path) => {
  if (!isObject(value)) return { path, rule: 'must be a mark' };
  const problem = markType(value['type'], `${path}.type`);
  if (problem || value['type'] !== 'color') return problem;
  return members({ data: members({ text: color, background: color }) })(value, path);
};

export const LEAVES = listOf(members({ text, marks: listOf(mark) }));
