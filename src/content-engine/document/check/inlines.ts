import type { ContentRef } from '../refs.ts';
import type { NodeShape } from './node.ts';
import { anyRef, imageRef } from './refs.ts';
import { isObject, like, listOf, members, oneOf, someText, text, unless, type Shape } from './shape.ts';

/** An inline without content of its own. */
const atom = <Data>(data: Shape<Data>): NodeShape<Data, 'nothing'> => ({ data, holds: 'nothing' });

const icon = like(/^\S*$/, 'must be the name of an icon');

/** A button leads somewhere (`ref`) or does something (`action`). */
interface ButtonData {
  label: string;
  kind?: 'primary' | 'secondary';
  icon?: string;
  size?: 'small' | 'medium' | 'large';
  ref?: ContentRef;
  action?: { action: string; query?: string; slug?: string };
}

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

/** Every inline by its type: what its `data` has, and what it holds. */
export const INLINES = {
  link: { data: members({ ref: anyRef }), holds: IN_LINKS },
  'inline-image': atom(
    members({
      ref: imageRef,
      'refDark?': imageRef,
      'caption?': text,
      'alt?': text,
      'size?': oneOf('original', 'line'),
    }),
  ),
  emoji: atom(members({ code: someText })),
  icon: atom(members({ icon })),
  expression: atom(members({ expression: text })),
  'inline-math': atom(members({ formula: text })),
  mention: atom(members({ ref: anyRef })),
  button: atom<ButtonData>(
    unless(
      members({ ...button, ref: anyRef }),
      'action',
      members({ ...button, action: members({ action: text, 'query?': text, 'slug?': text }) }),
    ),
  ),
  annotation: { holds: 'texts', fragments: { 'annotation-body': 'blocks' } },
} as const satisfies Readonly<Record<string, NodeShape>>;

export const COLORS = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
] as const;

export const PLAIN_MARKS = [
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
] as const;

const color = oneOf(...COLORS);
const markType = oneOf(...PLAIN_MARKS, 'color');

const mark: Shape = (value, path) => {
  if (!isObject(value)) return { path, rule: 'must be a mark' };
  const problem = markType(value['type'], `${path}.type`);
  if (problem || value['type'] !== 'color') return problem;
  return members({ data: members({ text: color, background: color }) })(value, path);
};

export const LEAVES = listOf(members({ text, marks: listOf(mark) }));
