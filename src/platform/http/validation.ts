import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import type { ErrorDetail } from '../errors.ts';
import { formMeant, formsBegun, formsOfType, tellingMember, type Schema } from './forms.ts';

const MAX_DETAILS = 20;

/**
 * What to tell a person of all that is wrong. The library's own list stops after eight errors, and of a union it names
 * what is wrong with every form: so each place is asked about by itself, and of a union only the form that was meant.
 */
export function detailsOf(schema: TSchema, value: unknown, place: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  explain(schema as Schema, value, place, details);
  return details;
}

function explain(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  if (details.length >= MAX_DETAILS) return;
  if (schema.anyOf) explainUnion(schema, schema.anyOf, value, path, details);
  else {
    explainOwn(schema, value, path, details);
    for (const [name, inner, member] of partsOf(schema, value)) {
      explain(inner, member, `${path}.${name}`, details);
    }
  }
}

function explainUnion(
  union: Schema,
  forms: readonly Schema[],
  value: unknown,
  path: string,
  details: ErrorDetail[],
): void {
  if (Errors(union as TSchema, value).length === 0) return;
  const meant = formMeant(forms, value);
  if (meant) {
    explain(meant, value, path, details);
    return;
  }
  details.push(noForm(forms, value, path));
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
        : 'must be one of the forms that the reference shows';
    return { path, rule };
  }
  const allowed = possible.map(({ properties }) => properties?.[member]?.const);
  return { path: `${path}.${member}`, rule: `must be one of ${JSON.stringify(allowed)}` };
}

/** What is wrong with a value itself, not with what is in it. */
function explainOwn(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  const { properties, patternProperties, items } = schema;
  const own = {
    ...schema,
    ...(properties ? { properties: opened(properties) } : {}),
    ...(patternProperties ? { patternProperties: opened(patternProperties) } : {}),
    ...(items ? { items: {} } : {}),
  };
  for (const error of Errors(own as TSchema, value)) {
    if (details.length >= MAX_DETAILS) return;
    details.push({ path: path + error.instancePath.replaceAll('/', '.'), rule: ruleOf(error) });
  }
}

const opened = (members: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.keys(members).map((name) => [name, {}]));

/** The members and items that have a schema of their own. */
function* partsOf(
  { properties = {}, patternProperties = {}, items }: Schema,
  value: unknown,
): Iterable<readonly [name: string, schema: Schema, value: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (items) for (const [index, item] of value.entries()) yield [String(index), items, item];
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, name) && member !== undefined) yield [name, properties[name] ?? {}, member];
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      if (new RegExp(pattern).test(name)) yield [name, schema, member];
    }
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
