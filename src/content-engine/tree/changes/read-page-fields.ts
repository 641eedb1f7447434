import { compact, isRefusal, refuse } from './batch.ts';
import type { PageContent, PageFields, Refusal } from './change.ts';
import {
  memberOf,
  PAGE_FIELDS,
  type PageField,
  type PageFieldShape,
  type PageType,
} from '../fields/page-fields.ts';
import { fullLayout, layoutDifference } from '../fields/page-layout.ts';
import { refusePageVariables, refuseSize } from './variables.ts';
import type { PageRecord } from '../records.ts';
import { cleanTitle, MAX_TITLE } from '../names/slug.ts';

const CONTENT: Readonly<Record<keyof PageContent, PageType>> = {
  document: 'document',
  links: 'document',
  source: 'document',
  target: 'link',
  computed: 'computed',
};

const isField = (name: string): name is PageField => Object.hasOwn(PAGE_FIELDS, name);
const isContent = (name: string): name is keyof PageContent => Object.hasOwn(CONTENT, name);

const hasField = (type: PageType, name: PageField | keyof PageContent): boolean =>
  isField(name) ? PAGE_FIELDS[name].pages.includes(type) : CONTENT[name] === type;

export const MAX_TAGS = 100;
export const MAX_TAG_LENGTH = 100;

/**
 * The members of a record that these fields set, in stored form: undefined for a default. Without the slug, which
 * depends on the siblings.
 */
export function readPageFields(
  type: PageType,
  fields: PageFields & PageContent,
  before: PageRecord | undefined,
): { readonly values: Readonly<Record<string, unknown>> } | Refusal {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(compact(fields))) {
    if (!isField(name) && !isContent(name)) continue;
    if (!hasField(type, name))
      return refuse('invalid_field', `A page of type ${type} cannot have ${name}`, name);
    if (name === 'slug') continue;
    if (isContent(name)) {
      values[name] = storedForm(value);
      continue;
    }
    const read = readField(name, value, before);
    if (isRefusal(read)) return read;
    values[memberOf(name)] = read.value;
  }
  return { values };
}

/** Wrapped, because the value may itself be an object with a member `code`. */
type Read = { readonly value: unknown } | Refusal;

/** False, null and the empty string are defaults. */
const storedForm = (value: unknown): unknown =>
  value === false || value === null || value === '' ? undefined : value;

function readField(field: PageField, value: unknown, before: PageRecord | undefined): Read {
  const { shape, maxLength } = PAGE_FIELDS[field];
  if (maxLength !== undefined && typeof value === 'string' && value.length > maxLength) {
    return refuse('invalid_field', `${field} must have at most ${maxLength} characters`, field);
  }
  return READERS[shape](value, field, before);
}

const readPlain = (value: unknown): Read => ({ value: storedForm(value) });

const READERS: Readonly<
  Record<PageFieldShape, (value: unknown, field: PageField, before: PageRecord | undefined) => Read>
> = {
  title: (title, field) => readTitle(title as string, field),
  label: (label, field) =>
    label === null || label === '' ? { value: undefined } : readTitle(label as string, field),
  slug: readPlain,
  text: readPlain,
  expression: readPlain,
  flag: readPlain,
  cover: readPlain,
  layout: (layout, _field, before) => ({
    value: layoutDifference(layout === null ? {} : { ...layoutOf(before), ...(layout as object) }),
  }),
  variables: (variables) => readVariables((variables ?? {}) as Readonly<Record<string, unknown>>),
  tags: (tags, field) => readTags((tags ?? []) as readonly string[], field),
};

const layoutOf = (page: PageRecord | undefined) =>
  fullLayout(page?.type === 'document' ? page.layout : undefined);

function readTitle(title: string, field: PageField): Read {
  const value = cleanTitle(title);
  if (value !== undefined) return { value };
  return refuse('invalid_field', `A ${field} must have 1 to ${MAX_TITLE} visible characters`, field);
}

function readVariables(variables: Readonly<Record<string, unknown>>): Read {
  const value = Object.keys(variables).length === 0 ? undefined : variables;
  return refusePageVariables(variables) ?? { value };
}

function readTags(tags: readonly string[], field: PageField): Read {
  if (tags.length > MAX_TAGS || tags.some((tag) => tag === '' || tag.length > MAX_TAG_LENGTH)) {
    return refuse(
      'invalid_field',
      `A page can have at most ${MAX_TAGS} tags of 1 to ${MAX_TAG_LENGTH} characters`,
      field,
    );
  }
  const distinct = [...new Set(tags)];
  return refuseSize(distinct, field) ?? { value: distinct.length === 0 ? undefined : distinct };
}
