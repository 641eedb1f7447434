import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import type { ErrorDetail } from '../../api/errors.ts';
import { matches } from './compiled-check.ts';
import {
  intendedBranch,
  branchesWithRequired,
  branchesOfType,
  discriminator,
  type Schema,
} from './union-branches.ts';

const MAX_DETAILS = 20;
const MAX_UNKNOWN = 100;

/**
 * Explains a validation error. The library's own list stops after eight errors and reports every branch of a union; so
 * each place is checked by itself, and of a union only the intended branch.
 *
 * The body may be megabytes of garbage: valid parts are skipped by their compiled check, every invalid part adds at least
 * one detail, and the walk ends with the last detail.
 */
export function detailsOf(schema: TSchema, value: unknown, place: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  explain(schema as Schema, value, place, details);
  return details;
}

function explain(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  if (details.length < MAX_DETAILS && !matches(schema, value)) explainInvalid(schema, value, path, details);
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

/** A value that matches no branch of a union does not match the intended one either. */
function explainUnion(
  branches: readonly Schema[],
  value: unknown,
  path: string,
  details: ErrorDetail[],
): void {
  const intended = intendedBranch(branches, value);
  if (intended) explainInvalid(intended, value, path, details);
  else details.push(noBranch(branches, value, path));
}

/** The intended branch is unclear: says what would identify it. */
function noBranch(branches: readonly Schema[], value: unknown, path: string): ErrorDetail {
  const possible = branchesOfType(branches, value);
  const types = [...new Set(branches.flatMap(({ type }) => type ?? []))];
  if (possible.length === 0 && types.length > 0) return { path, rule: `must be ${types.join(' or ')}` };
  const member = discriminator(possible);
  if (member === undefined) {
    const started = typeof value === 'object' && value !== null ? branchesWithRequired(possible, value) : [];
    const names = started.flatMap(({ required = [] }) => required);
    const rule =
      started.length > 1
        ? `must have only one of ${names.join(', ')}`
        : 'must match one of the schemas in /reference';
    return { path, rule };
  }
  const allowed = possible.map(({ properties }) => properties?.[member]?.const);
  return { path: `${path}.${member}`, rule: `must be one of ${JSON.stringify(allowed)}` };
}

/** Errors of a value itself, not of its members. */
function explainOwn(schema: Schema, value: unknown, path: string, details: ErrorDetail[]): void {
  const { items: _items, properties, patternProperties, ...rest } = schema;
  const own = {
    ...rest,
    ...(properties ? { properties: opened(properties) } : {}),
    ...(patternProperties ? { patternProperties: opened(patternProperties) } : {}),
  };
  for (const error of Errors(own as TSchema, fewMembers(schema, value))) {
    if (details.length >= MAX_DETAILS) return;
    const rule = error.keyword === 'not' ? `must be absent${hint(schema)}` : ruleOf(error);
    details.push({ path: path + error.instancePath.replaceAll('/', '.'), rule });
  }
}

/** The library walks all members, however few errors it reports: only some of the unknown ones are passed to it. */
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

/** The members and items that have a schema. Items beyond `maxItems` are reported as one error already. */
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

/** A member that a form must not have says in its description what to send instead. */
const hint = ({ description }: Schema): string => (description ? ` (${description})` : '');

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
