import { badRequest, type ErrorDetail } from '../../platform/api/errors.ts';
import { DRAFT, UNSIGNED_DESCRIPTION, type ClaimsSchema } from './schema.ts';

const MAX_CLAIMS = 200;
const MAX_DEPTH = 5;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 500;
const MAX_VALUES = 100;

type Json = Readonly<Record<string, unknown>>;

/** The members that each type allows beside `type` and `description`. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  boolean: [],
  number: [],
  string: ['enum'],
  array: ['items'],
  object: ['properties', 'additionalProperties'],
};
const SCALARS = ['boolean', 'string', 'number'];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 400 that lists every place where the schema of the claims is not valid. */
export function requireClaimsSchema(schema: unknown): asserts schema is ClaimsSchema {
  const details = problemsOf(schema);
  if (details.length > 0)
    throw badRequest(
      `The schema of the claims is not valid: ${details[0]?.path} ${details[0]?.rule}.`,
      details,
    );
}

export function problemsOf(schema: unknown): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  let claims = 0;
  const refuse = (path: string, rule: string) => {
    if (problems.length < 20) problems.push({ path, rule });
  };

  function checkMembers(value: Json, allowed: readonly string[], path: string): void {
    for (const name of Object.keys(value))
      if (!allowed.includes(name))
        refuse(`${path}.${name}`, `is not allowed; allowed: ${allowed.join(', ')}`);
  }

  function checkClaims(value: unknown, path: string, depth: number): void {
    if (!isObject(value)) return refuse(path, 'must be an object of claims');
    for (const [name, claim] of Object.entries(value)) {
      if (++claims > MAX_CLAIMS) return refuse(path, `must have at most ${MAX_CLAIMS} claims in total`);
      const place = `${path}.${name}`;
      if (name.length === 0 || name.length > MAX_NAME)
        refuse(place, `must have a name of 1 to ${MAX_NAME} characters`);
      if (depth === 0 && name === 'unsigned') checkUnsigned(claim, place);
      else checkClaim(claim, place, depth);
    }
  }

  function checkUnsigned(value: unknown, path: string): void {
    if (!isObject(value)) return refuse(path, 'must be a schema');
    if (value['description'] !== UNSIGNED_DESCRIPTION)
      refuse(`${path}.description`, `must be "${UNSIGNED_DESCRIPTION}"`);
    checkClaim(value, path, 0, ['object']);
  }

  function checkClaim(
    value: unknown,
    path: string,
    depth: number,
    types: readonly string[] = Object.keys(MEMBERS),
  ): void {
    if (!isObject(value)) return refuse(path, 'must be a schema');
    const type = value['type'];
    if (typeof type !== 'string' || !types.includes(type))
      return refuse(`${path}.type`, `must be one of ${types.join(', ')}`);
    const description = value['description'];
    if (typeof description !== 'string' || description.length > MAX_DESCRIPTION)
      refuse(`${path}.description`, `must be a text of at most ${MAX_DESCRIPTION} characters`);
    checkMembers(value, ['type', 'description', ...(MEMBERS[type] ?? [])], path);
    if (type === 'array') checkClaim(value['items'], `${path}.items`, depth + 1, SCALARS);
    if (type === 'object') checkObject(value, path, depth);
    if (type === 'string' && value['enum'] !== undefined) checkValues(value['enum'], `${path}.enum`);
  }

  function checkObject(value: Json, path: string, depth: number): void {
    if (value['additionalProperties'] !== false) refuse(`${path}.additionalProperties`, 'must be false');
    if (depth >= MAX_DEPTH) refuse(path, `must be nested at most ${MAX_DEPTH} deep`);
    else checkClaims(value['properties'], `${path}.properties`, depth + 1);
  }

  function checkValues(values: unknown, path: string): void {
    const isValid = (each: unknown) => typeof each === 'string' && each.length <= MAX_DESCRIPTION;
    if (!Array.isArray(values) || values.length > MAX_VALUES || !values.every(isValid))
      refuse(path, `must be a list of at most ${MAX_VALUES} texts of at most ${MAX_DESCRIPTION} characters`);
  }

  const root = 'body.jsonSchema';
  if (!isObject(schema)) return [{ path: root, rule: 'must be an object' }];
  checkMembers(schema, ['$schema', 'type', 'properties', 'additionalProperties'], root);
  if (schema['$schema'] !== undefined && schema['$schema'] !== DRAFT)
    refuse(`${root}.$schema`, `must be "${DRAFT}"`);
  if (schema['type'] !== 'object') refuse(`${root}.type`, 'must be object');
  if (schema['additionalProperties'] !== false) refuse(`${root}.additionalProperties`, 'must be false');
  checkClaims(schema['properties'], `${root}.properties`, 0);
  return problems;
}
