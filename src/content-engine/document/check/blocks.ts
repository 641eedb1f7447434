import { ANY_NAME, shows, type NodeShape } from './node.ts';
import { anyRef, pictureRef, refOf } from './refs.ts';
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

const heading: NodeShape = {
  data: members({ 'id?': like(/^[-a-z0-9.+_]+$/, 'must have only a-z, 0-9 and -.+_'), ...aligned }),
  holds: 'inlines',
};

const list = (data: Readonly<Record<string, Shape>> = {}): NodeShape => ({
  data: members(data),
  holds: ['list-item'],
});

/** In Markdown, names stand in one attribute, with commas between them. */
const name = like(/^[^,\s](?:[^,]*[^,\s])?$/, 'must be a name without commas');
const tags = listOf(members({ kind: oneOf('tag'), tag: name }));

const condition = like(/^(?!.*(?:\{%|%\}))/s, 'must be an expression, without {% and %}');

/** Every block of the model (facts 5, and later ones): what its `data` has, and what it holds. */
export const BLOCKS: ReadonlyMap<string, NodeShape> = new Map<string, NodeShape>([
  ['paragraph', { data: members(aligned), holds: 'inlines' }],
  ['heading-1', heading],
  ['heading-2', heading],
  ['heading-3', heading],
  ['list-ordered', list({ 'start?': integer(0, 999_999_999) })],
  ['list-unordered', list()],
  ['list-tasks', list()],
  ['list-item', { data: members({ 'checked?': flag }), holds: 'blocks' }],
  ['blockquote', { holds: 'blocks' }],
  ['divider', { holds: 'nothing' }],
  [
    'code',
    {
      data: members({
        'syntax?': like(/^\S*$/, 'must be the name of a language'),
        'title?': text,
        'overflow?': oneOf('scroll', 'wrap'),
        'lineNumbers?': flag,
        'expandable?': flag,
        'collapsedLineCount?': integer(1, 999_999_999),
        'verbatim?': flag,
        ...fullWidth,
      }),
      holds: ['code-line'],
    },
  ],
  ['code-line', { data: members({ 'highlighted?': flag }), holds: ['text', 'annotation', 'expression'] }],
  ['math', shows({ formula: text })],
  [
    'hint',
    {
      data: members({ 'style?': oneOf('info', 'warning', 'danger', 'success'), 'icon?': text }),
      holds: 'blocks',
    },
  ],
  [
    'images',
    {
      data: members({ 'align?': oneOf('center', 'left', 'right'), 'withFrame?': flag, ...fullWidth }),
      holds: ['image'],
    },
  ],
  [
    'image',
    {
      ...shows({
        ref: pictureRef,
        'refDark?': pictureRef,
        'width?': length,
        'height?': length,
        'alt?': text,
      }),
      fragments: { caption: ['paragraph'] },
    },
  ],
  ['file', { ...shows({ ref: refOf('file') }), fragments: { caption: 'blocks' } }],
  ['drawing', shows({ 'ref?': refOf('file') })],
  ['embed', { ...shows({ url: text, ...fullWidth }), fragments: { caption: 'blocks' } }],
  ['content-ref', shows({ ref: anyRef })],
  ['reusable-content', shows({ ref: refOf('reusable-content') })],
  [
    'expandable',
    {
      ...shows({ 'defaultExpanded?': flag }),
      fragments: { 'expandable-title': ['paragraph'], 'expandable-body': 'blocks' },
    },
  ],
  ['tabs', { data: members(fullWidth), holds: ['tabs-item'] }],
  ['tabs-item', { data: members({ 'title?': text, 'icon?': text, 'slug?': text }), holds: 'blocks' }],
  ['stepper', { holds: ['stepper-step'] }],
  ['stepper-step', { data: members({ 'icon?': text }), holds: 'blocks' }],
  ['columns', { data: members(fullWidth), holds: ['column'] }],
  [
    'column',
    {
      data: members({ 'width?': length, 'verticalAlignment?': oneOf('top', 'middle', 'bottom') }),
      holds: 'blocks',
    },
  ],
  ['if', { data: members({ expression: condition }), holds: 'blocks' }],
  ['updates', { data: members({ 'format?': oneOf('numeric', 'full', 'short') }), holds: ['update'] }],
  ['update', { data: members({ 'date?': text, 'tags?': tags }), holds: 'blocks' }],
  [
    'prompt',
    {
      data: members({
        'description?': text,
        'icon?': text,
        'openInAIProviders?': flag,
        'defaultExpanded?': oneOf('hidden', 'partial', 'full'),
      }),
      holds: 'blocks',
    },
  ],
  [
    'integration',
    shows({
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
  ],
  ['swagger', shows({ ref: pictureRef, path: text, method: text, 'expanded?': flag, ...fullWidth })],
  ['openapi-operation', shows({ ref: refOf('openapi'), path: text, method: text })],
  ['openapi-webhook', shows({ ref: refOf('openapi'), name: text, method: text })],
  ['openapi-schemas', shows({ ref: refOf('openapi'), schemas: listOf(name), 'grouped?': flag })],
  // What its data has depends on its columns: ./table.ts.
  ['table', { data: anObject, holds: 'nothing', fragments: { [ANY_NAME]: 'blocks' } }],
]);

/** Blocks that stand only inside another of their own. */
export const PARTS: ReadonlySet<string> = new Set(
  [...BLOCKS.values()].flatMap(({ holds }) => (typeof holds === 'string' ? [] : holds)),
);
