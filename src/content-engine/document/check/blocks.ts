import type { BlockOf, BlockType } from '../nodes.ts';
import { ANY_NAME, type Content, type NodeShape } from './node.ts';
import { anyRef, imageRef, refOf } from './refs.ts';
import {
  anObject,
  flag,
  integer,
  isObject,
  like,
  listOf,
  mapOf,
  members,
  oneOf,
  text,
  type MemberShapes,
  type Shape,
} from './shape.ts';

const fullWidth = { 'fullWidth?': flag };
const aligned = { 'align?': oneOf('start', 'center', 'end') };

/** As it is spelled in an attribute: no exponent, no sign. */
const amount: Shape = (value, path) =>
  typeof value === 'number' && /^\d+(?:\.\d+)?$/.test(String(value))
    ? undefined
    : { path, rule: 'must be a number within the usual range' };
const measure = members({ value: amount, unit: like(/^[a-z%]*$/, 'must be a unit, such as %') });
const length: Shape = (value, path) => (isObject(value) ? measure : amount)(value, path);

type DataOf<Type extends BlockType> = NonNullable<BlockOf<Type>['data']>;

const block = <Type extends BlockType>(holds: Content, data: MemberShapes<DataOf<Type>>): NodeShape => ({
  data: members(data),
  holds,
});

/** A block without content of its own. */
const atom = <Type extends BlockType>(data: MemberShapes<DataOf<Type>>): NodeShape => ({
  data: members(data),
  holds: 'nothing',
});

const heading = block<'heading-1'>('inlines', {
  'id?': like(/^[-a-z0-9.+_]+$/, 'must have only a-z, 0-9 and -.+_'),
  ...aligned,
});

/** Markdown lists names in one attribute, separated by commas. */
const name = like(/^[^,\s](?:[^,]*[^,\s])?$/, 'must be a name without commas');
const tags = listOf(members({ kind: oneOf('tag'), tag: name }));

const condition = like(/^(?!.*(?:\{%|%\}))/s, 'must be an expression, without {% and %}');

const SHAPES: Readonly<Record<BlockType, NodeShape>> = {
  paragraph: block<'paragraph'>('inlines', aligned),
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'list-ordered': block<'list-ordered'>(['list-item'], { 'start?': integer(0, 999_999_999) }),
  'list-unordered': { holds: ['list-item'] },
  'list-tasks': { holds: ['list-item'] },
  'list-item': block<'list-item'>('blocks', { 'checked?': flag }),
  blockquote: { holds: 'blocks' },
  divider: { holds: 'nothing' },
  code: block<'code'>(['code-line'], {
    'syntax?': like(/^\S*$/, 'must be the name of a language'),
    'title?': text,
    'overflow?': oneOf('scroll', 'wrap'),
    'lineNumbers?': flag,
    'expandable?': flag,
    'collapsedLineCount?': integer(1, 999_999_999),
    'verbatim?': flag,
    ...fullWidth,
  }),
  'code-line': block<'code-line'>(['text', 'annotation', 'expression'], { 'highlighted?': flag }),
  math: atom<'math'>({ formula: text }),
  hint: block<'hint'>('blocks', {
    'style?': oneOf('info', 'warning', 'danger', 'success'),
    'icon?': text,
  }),
  images: block<'images'>(['image'], {
    'align?': oneOf('center', 'left', 'right'),
    'withFrame?': flag,
    ...fullWidth,
  }),
  image: {
    ...atom<'image'>({
      ref: imageRef,
      'refDark?': imageRef,
      'width?': length,
      'height?': length,
      'alt?': text,
    }),
    fragments: { caption: ['paragraph'] },
  },
  file: { ...atom<'file'>({ ref: refOf('file') }), fragments: { caption: 'blocks' } },
  drawing: atom<'drawing'>({ 'ref?': refOf('file') }),
  embed: { ...atom<'embed'>({ url: text, ...fullWidth }), fragments: { caption: 'blocks' } },
  'content-ref': atom<'content-ref'>({ ref: anyRef }),
  'reusable-content': atom<'reusable-content'>({ ref: refOf('reusable-content') }),
  expandable: {
    ...atom<'expandable'>({ 'defaultExpanded?': flag }),
    fragments: { 'expandable-title': ['paragraph'], 'expandable-body': 'blocks' },
  },
  tabs: block<'tabs'>(['tabs-item'], fullWidth),
  'tabs-item': block<'tabs-item'>('blocks', { 'title?': text, 'icon?': text, 'slug?': text }),
  stepper: { holds: ['stepper-step'] },
  'stepper-step': block<'stepper-step'>('blocks', { 'icon?': text }),
  columns: block<'columns'>(['column'], fullWidth),
  column: block<'column'>('blocks', {
    'width?': length,
    'verticalAlignment?': oneOf('top', 'middle', 'bottom'),
  }),
  if: block<'if'>('blocks', { expression: condition }),
  updates: block<'updates'>(['update'], { 'format?': oneOf('numeric', 'full', 'short') }),
  update: block<'update'>('blocks', { 'date?': text, 'tags?': tags }),
  prompt: block<'prompt'>('blocks', {
    'description?': text,
    'icon?': text,
    'openInAIProviders?': flag,
    'defaultExpanded?': oneOf('hidden', 'partial', 'full'),
  }),
  integration: atom<'integration'>({
    integration: like(/^[A-Za-z][\w.-]*$/, 'must be the name of an integration'),
    block: like(/^[\w./-]*$/, 'must be the name of a block'),
    'props?': mapOf(
      () => undefined,
      like(/^(?!__proto__$)[A-Za-z_:][\w:.-]*$/, 'must not have a reserved name'),
    ),
    'action?': members({ action: text }),
    'url?': text,
    ...fullWidth,
  }),
  swagger: atom<'swagger'>({ ref: imageRef, path: text, method: text, 'expanded?': flag, ...fullWidth }),
  'openapi-operation': atom<'openapi-operation'>({ ref: refOf('openapi'), path: text, method: text }),
  'openapi-webhook': atom<'openapi-webhook'>({ ref: refOf('openapi'), name: text, method: text }),
  'openapi-schemas': atom<'openapi-schemas'>({
    ref: refOf('openapi'),
    schemas: listOf(name),
    'grouped?': flag,
  }),
  // The shape of its data depends on its columns: ./table.ts.
  table: { data: anObject, holds: 'nothing', fragments: { [ANY_NAME]: 'blocks' } },
};

/** Every block by its type: what its `data` has, and what it holds. */
export const BLOCKS: ReadonlyMap<string, NodeShape> = new Map(Object.entries(SHAPES));

/** Blocks that exist only inside of a certain container. */
export const PARTS: ReadonlySet<string> = new Set(
  [...BLOCKS.values()].flatMap(({ holds }) => (typeof holds === 'string' ? [] : holds)),
);
