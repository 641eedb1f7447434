import { anyRef, pictureRef } from './refs.ts';
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
  type Plain,
  type Problem,
  type Shape,
} from './shape.ts';

const VIEWS = byMember('type', {
  grid: members({
    'columns?': listOf(text),
    'hideHeader?': flag,
    'columnWidths?': mapOf(number),
    'useNewSizing?': flag,
  }),
  cards: members({
    'columns?': listOf(text),
    'cardSize?': oneOf('medium', 'large'),
    'targetDefinition?': text,
    'coverDefinition?': text,
    'coverDefinitionDark?': text,
    'hideColumnTitle?': flag,
    'wrap?': flag,
  }),
});

const column = (more: Readonly<Record<string, Shape>> = {}): Shape =>
  members({ 'id?': text, 'title?': text, ...more });

const COLUMNS = byMember('type', {
  text: column({
    'textAlignment?': oneOf('left', 'center', 'right'),
    'verticalAlignment?': oneOf('top', 'middle', 'bottom'),
  }),
  number: column(),
  checkbox: column(),
  files: column(),
  users: column({ 'multiple?': flag }),
  rating: column({ 'max?': number }),
  select: column({
    'multiple?': flag,
    'options?': listOf(members({ value: text, 'label?': text, 'color?': text })),
  }),
  'content-ref': column(),
  image: column(),
});

const numberOrText: Shape = (value, path) =>
  typeof value === 'number' || typeof value === 'string'
    ? undefined
    : { path, rule: 'must be a number or a string' };
const textOrTexts: Shape = (value, path) =>
  typeof value === 'string' ? undefined : listOf(text)(value, path);

/** What stands in a cell, by the type of its column. */
const VALUES: Readonly<Record<string, Shape>> = {
  number: numberOrText,
  rating: numberOrText,
  checkbox: flag,
  files: textOrTexts,
  users: textOrTexts,
  select: textOrTexts,
  'content-ref': anyRef,
  image: unless(
    pictureRef,
    'ref',
    members({ ref: pictureRef, 'objectFit?': oneOf('contain', 'fill', 'cover') }),
  ),
};

const DATA = members({
  view: VIEWS,
  definition: mapOf(COLUMNS),
  records: mapOf(members({ 'orderIndex?': text, values: anObject })),
  'fullWidth?': flag,
  'search?': flag,
});

/** A table: what its cells hold depends on its columns, and the text of a cell stands in a fragment. */
export function tableProblem(data: unknown, fragments: unknown, path: string): Problem | undefined {
  const problem = DATA(data, path);
  if (problem) return problem;
  const { definition, records } = data as { definition: Plain; records: Plain };
  const names = (Array.isArray(fragments) ? (fragments as unknown[]) : []).map((one) =>
    isObject(one) ? one['fragment'] : undefined,
  );
  const known = new Set(names);
  const textCell: Shape = (value, at) =>
    known.has(value) && typeof value === 'string'
      ? undefined
      : { path: at, rule: 'must be the name of the fragment of the table that contains the text' };
  return firstProblem(Object.entries(records), ([id, record]) =>
    firstProblem(Object.entries((record as { values: Plain }).values), ([name, value]) => {
      const type = Object.hasOwn(definition, name) ? (definition[name] as Plain)['type'] : undefined;
      if (type === undefined || value === null) return undefined;
      return (VALUES[type as string] ?? textCell)(value, `${path}.records.${id}.values.${name}`);
    }),
  );
}
