import type { CardsView, ColumnType, GridView, TableColumn } from '../table-types.ts';
import { anyRef, imageRef } from './refs.ts';
import {
  anObject,
  byMember,
  firstProblem,
  flag,
  isObject,
  listOf,
  mapOf,
  members,
  number,
  oneOf,
  text,
  unless,
  type MemberShapes,
  type Plain,
  type Problem,
  type Shape,
} from './shape.ts';

const view = <View extends GridView | CardsView>(shapes: MemberShapes<Omit<View, 'type'>>): Shape =>
  members(shapes);

const VIEWS = byMember('type', {
  grid: view<GridView>({
    'columns?': listOf(text),
    'hideHeader?': flag,
    'columnWidths?': mapOf(number),
    'useNewSizing?': flag,
  }),
  cards: view<CardsView>({
    'columns?': listOf(text),
    'cardSize?': oneOf('medium', 'large'),
    'targetDefinition?': text,
    'coverDefinition?': text,
    'coverDefinitionDark?': text,
    'hideColumnTitle?': flag,
    'wrap?': flag,
  }),
});

type ColumnOf<Type extends ColumnType> = Extract<TableColumn, { type: Type }>;

const column = <Type extends ColumnType>(
  more: MemberShapes<Omit<ColumnOf<Type>, 'type' | 'id' | 'title'>>,
): Shape => members({ 'id?': text, 'title?': text, ...more });

const COLUMNS: Readonly<Record<ColumnType, Shape>> = {
  text: column<'text'>({
    'textAlignment?': oneOf('left', 'center', 'right'),
    'verticalAlignment?': oneOf('top', 'middle', 'bottom'),
  }),
  number: column<'number'>({}),
  checkbox: column<'checkbox'>({}),
  files: column<'files'>({}),
  users: column<'users'>({ 'multiple?': flag }),
  rating: column<'rating'>({ 'max?': number }),
  select: column<'select'>({
    'multiple?': flag,
    'options?': listOf(members({ value: text, 'label?': text, 'color?': text })),
  }),
  'content-ref': column<'content-ref'>({}),
  image: column<'image'>({}),
};

const numberOrText: Shape = (value, path) =>
  typeof value === 'number' || typeof value === 'string'
    ? undefined
    : { path, rule: 'must be a number or a string' };
const textOrTexts: Shape = (value, path) =>
  typeof value === 'string' ? undefined : listOf(text)(value, path);

/** The value of a cell by the type of its column. Text is in a fragment, which the value names. */
const VALUES: Readonly<Record<Exclude<ColumnType, 'text'>, Shape>> = {
  number: numberOrText,
  rating: numberOrText,
  checkbox: flag,
  files: textOrTexts,
  users: textOrTexts,
  select: textOrTexts,
  'content-ref': anyRef,
  image: unless(imageRef, 'ref', members({ ref: imageRef, 'objectFit?': oneOf('contain', 'fill', 'cover') })),
};

const DATA = members({
  view: VIEWS,
  definition: mapOf(byMember('type', COLUMNS)),
  records: mapOf(members({ 'orderIndex?': text, values: anObject })),
  'fullWidth?': flag,
  'search?': flag,
});

/** A table. The shape of a cell depends on its column. */
export function tableProblem(data: Plain, fragments: unknown, path: string): Problem | undefined {
  const problem = DATA(data, path);
  if (problem) return problem;
  const names = new Set((Array.isArray(fragments) ? fragments : []).map((one) => memberOf(one, 'fragment')));
  const textCell: Shape = (value, at) =>
    names.has(value) && typeof value === 'string'
      ? undefined
      : { path: at, rule: 'must be the name of the fragment of the table that contains the text' };
  const shapes = new Map<unknown, Shape>([...Object.entries(VALUES), ['text', textCell]]);
  return firstProblem(entriesOf(data['records']), ([id, record]) =>
    firstProblem(entriesOf(memberOf(record, 'values')), ([name, value]) => {
      const shape = shapes.get(memberOf(memberOf(data['definition'], name), 'type'));
      if (!shape || value === null) return undefined;
      return shape(value, `${path}.records.${id}.values.${name}`);
    }),
  );
}

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
