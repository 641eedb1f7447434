import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import type { ErrorDetail } from '../api/errors.ts';
import { fits } from './compiled-check.ts';
import { formMeant, formsBegun, formsOfType, tellingMember, type Schema } from './union-branches.ts';

const MAX_DETAILS = 20;
const MAX_UNKNOWN = 100;

/**
 * What to tell a person of all that is wrong. The library's own list stops after eight errors, and of a union it names
 * what is wrong with every form: so each place is asked about by itself, and of a union only the form that was meant.
 *
 * The body may be megabytes of garbage. So valid parts are skipped by their compiled check, every invalid part adds at
 * least one detail, and nothing is visited after the last detail.
 */
export function detailsOf(schema: TSchema, value: unknown, place: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  explain(schema as Schema, value, place, details);
  return details;
}

function explain(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  if (details.length < MAX_DETAILS && !fits(schema, value)) explainInvalid(schema, value, path, details);
}

function explainInvalid(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  const before = details.length;
  if (schema.anyOf) explainUnion(schema.anyOf, value, path, details);
  else {
    explainOwn(schema, value, path, details);
    for (const [name, inner, member] of partsOf(schema, value)) {
      if (details.length >= MAX_DETAILS) return;
      explain(inner, member, `${path}.${name}`, details);
    }
  }
  if (details.length === before) details.push({ path, rule: 'must match the schema in /reference' });
}

/** A value that fits no form of a union does not fit the one that was meant either. */
function explainUnion(forms: readonly Schema[], value: unknown, path: string, details: ErrorDetail[]): void {
  const meant = formMeant(forms, value);
  if (meant) explainInvalid(meant, value, path, details);
  else details.push(noForm(forms, value, path));
}

/** Nothing says which form was meant: so what would have. */
function noForm(forms: readonly Schema[], value: unknown, path: string): ErrorDetail {
  const possible = formsOfType(forms, value);
  const types = [...new Set(forms.flatMap(({ type }) => type ?? []))];
  if (possible.length === 0 && types.length > 0) return { path, rule: `must be ${types.join(' or ')}` };
  const member = tellingMember(possible);
  if (member === undefined) {
    const begun = typeof value === 'object' && value !== null ? formsBegun(possible, value) : [];
    const names = begun.flatMap(({ required = [] }) => required);
    const rule =
      begun.length > 1
        ? `must have only one of ${names.join(', ')}`
        : 'must match one of the schemas in /reference';
    return { path, rule };
  }
  const allowed = possible.map(({ properties }) => properties?.[member]?.const);
  return { path: `${path}.${member}`, rule: `must be one of ${JSON.stringify(allowed)}` };
}

/** What is wrong with a value itself, not with what is in it. */
function explainOwn(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  const { items: _items, properties, patternProperties, ...rest } = schema;
  const own = {
    ...rest,
    ...(properties ? { properties: opened(properties) } : {}),
    ...(patternProperties ? { patternProperties: opened(patternProperties) } : {}),
  };
  for (const error of Errors(own as TSchema, fewMembers(schema, value))) {
    if (details.length >= MAX_DETAILS) return;
    details.push({ path: path + error.instancePath.replaceAll('/', '.'), rule: ruleOf(error) });
  }
}

/** The library walks all members, however few errors it tells of them: some unknown ones stand for all. */
function fewMembers({ properties = {} }: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const few: Record<string, unknown> = {};
  for (const name of Object.keys(properties))
    if (Object.hasOwn(value, name)) few[name] = memberOf(value, name);
  let unknown = 0;
  for (const name in value) {
    if (++unknown > MAX_UNKNOWN) break;
    few[name] = memberOf(value, name);
  }
  return few;
}

const memberOf = (value: object, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];

const opened = (members: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.keys(members).map((name) => [name, {}]));

/** The members and items that have a schema of their own. Items beyond the number that is allowed are one error already. */
function* partsOf(
  { properties = {}, patternProperties = {}, items, maxItems = Infinity }: Schema,
  value: unknown,
): Iterable<readonly [name: string, schema: Schema, value: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const count = items ? Math.min(value.length, maxItems) : 0;
    for (let index = 0; index < count; index++) yield [String(index), items ?? {}, value[index]];
    return;
  }
  for (const [name, schema] of Object.entries(properties)) {
    const member = Object.hasOwn(value, name) ? memberOf(value, name) : undefined;
    if (member !== undefined) yield [name, schema, member];
  }
  for (const [pattern, schema] of Object.entries(patternProperties)) {
    const names = new RegExp(pattern);
    for (const name in value) if (names.test(name)) yield [name, schema, memberOf(value, name)];
  }
}

interface LibraryError {
  readonly keyword: string;
  readonly message: string;
  readonly params: object;
}

function ruleOf({ keyword, message, params }: LibraryError): string {
  if (keyword === 'enum' && 'allowedValues' in params)
    return `must be one of ${JSON.stringify(params.allowedValues)}`;
  if (keyword === 'required' && 'requiredProperties' in params) {
    return `must have ${(params.requiredProperties as string[]).join(', ')}`;
  }
  return message;
}
