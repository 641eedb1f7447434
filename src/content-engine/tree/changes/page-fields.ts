import { compact, isRefusal, refuse } from './batch.ts';
import type { PageContent, PageFields, Refusal } from './change.ts';
import { fullLayout, layoutDifference } from '../page-layout.ts';
import { refusePageVariables, refuseSize } from './variables.ts';
import type { PageRecord } from '../records.ts';
import { cleanTitle, MAX_TITLE } from '../slug.ts';

type Field = keyof PageFields | keyof PageContent;

const COMMON: readonly Field[] = ['title', 'emoji', 'icon', 'hidden', 'condition'];
const SLUGGED: readonly Field[] = [...COMMON, 'slug', 'noIndex', 'noRobotsIndex'];

const FIELDS: Readonly<Record<PageRecord['type'], readonly Field[]>> = {
  document: [
    ...SLUGGED,
    'linkTitle',
    'description',
    'layout',
    'cover',
    'variables',
    'tags',
    'document',
    'links',
    'source',
  ],
  group: SLUGGED,
  link: [...COMMON, 'target'],
  computed: [...COMMON, 'computed'],
};

const ALL = new Set<Field>(Object.values(FIELDS).flat());

/** Length limits of the text fields of a page, for every way to write them. */
export const MAX_FIELD_LENGTH = {
  emoji: 50,
  icon: 50,
  description: 4096,
  condition: 1024,
  tag: 100,
} as const;
export const MAX_TAGS = 100;

/**
 * The members of a record that these fields set, in stored form: undefined for a default. Without the slug, which
 * depends on the siblings.
 */
export function readPageFields(
  type: PageRecord['type'],
  fields: PageFields & PageContent,
  before: PageRecord | undefined,
): { readonly values: Readonly<Record<string, unknown>> } | Refusal {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(compact(fields))) {
    const field = name as Field;
    if (!ALL.has(field)) continue;
    if (!FIELDS[type].includes(field)) {
      return refuse('invalid_field', `A page of type ${type} cannot have ${field}`, field);
    }
    if (field === 'slug') continue;
    const read = readField(field, value, before);
    if (isRefusal(read)) return read;
    values[field === 'linkTitle' ? 'label' : field] = read.value;
  }
  return { values };
}

/** Wrapped, because the value may itself be an object with a member `code`. */
type Read = { readonly value: unknown } | Refusal;

function readField(field: Field, value: unknown, before: PageRecord | undefined): Read {
  const maxLength =
    field in MAX_FIELD_LENGTH ? MAX_FIELD_LENGTH[field as keyof typeof MAX_FIELD_LENGTH] : undefined;
  if (maxLength !== undefined && typeof value === 'string' && value.length > maxLength) {
    return refuse('invalid_field', `${field} must have at most ${maxLength} characters`, field);
  }
  switch (field) {
    case 'title':
      return readTitle(value as string, field);
    case 'linkTitle':
      return value === null || value === '' ? { value: undefined } : readTitle(value as string, field);
    case 'layout':
      return { value: layoutDifference(value === null ? {} : { ...layoutOf(before), ...(value as object) }) };
    case 'variables':
      return readVariables((value ?? {}) as Readonly<Record<string, unknown>>);
    case 'tags':
      return readTags((value ?? []) as readonly string[]);
    default:
      // False, null and the empty string are defaults.
      return { value: value === false || value === null || value === '' ? undefined : value };
  }
}

const layoutOf = (page: PageRecord | undefined) =>
  fullLayout(page?.type === 'document' ? page.layout : undefined);

function readTitle(title: string, field: Field): Read {
  const value = cleanTitle(title);
  if (value !== undefined) return { value };
  return refuse('invalid_field', `A ${field} must have 1 to ${MAX_TITLE} visible characters`, field);
}

function readVariables(variables: Readonly<Record<string, unknown>>): Read {
  const value = Object.keys(variables).length === 0 ? undefined : variables;
  return refusePageVariables(variables) ?? { value };
}

function readTags(tags: readonly string[]): Read {
  if (tags.length > MAX_TAGS || tags.some((tag) => tag === '' || tag.length > MAX_FIELD_LENGTH.tag)) {
    return refuse(
      'invalid_field',
      `A page can have at most ${MAX_TAGS} tags of 1 to ${MAX_FIELD_LENGTH.tag} characters`,
      'tags',
    );
  }
  const distinct = [...new Set(tags)];
  return refuseSize(distinct, 'tags') ?? { value: distinct.length === 0 ? undefined : distinct };
}
