import fastJson from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { badRequest, type ApiError, type ErrorDetail } from '../errors.ts';
import type { NamedOperation } from '../operation.ts';
import { REFERENCE, type Reference, type Resource } from '../resource.ts';

/** What is derived from an operation once: its validators, its serialiser, and what its path points at. */
export interface Plan {
  readonly operation: NamedOperation;
  readonly params: Checker;
  readonly query: Checker;
  readonly body: Checker;
  readonly pathIds: readonly PathId[];
  readonly serialise: (answer: unknown) => string;
}

export interface PathId extends Reference {
  readonly param: string;
}

/** The value as its schema wants it, or the error to answer with. */
export type Checked = { readonly value: unknown; readonly error?: undefined } | { readonly error: ApiError };
export type Checker = (input: unknown) => Checked;

export function planOf(operation: NamedOperation): Plan {
  return {
    operation,
    params: checker(operation.params, 'path', false),
    query: checker(operation.query, 'query', true),
    body: checker(operation.body, 'body', false),
    pathIds: pathIdsOf(operation),
    serialise: serialiser(operation.response),
  };
}

/** Compiled on first use: an operation nobody calls costs nothing at start. */
function checker(schema: TSchema | undefined, place: string, isText: boolean): Checker {
  if (!schema) return () => ({ value: {} });
  let validator: ReturnType<typeof Compile> | undefined;
  return (input) => {
    validator ??= Compile(schema);
    const value = validator.Default(isText ? fromText(schema, input) : input);
    // Unknown members are dropped, not refused: newer clients send more than we know.
    if (validator.Check(value)) return { value: validator.Clean(value) };
    const details = detailsOf(validator.Errors(value), place);
    const first = details[0];
    return {
      error: badRequest(first ? `${first.path}: ${first.rule}.` : `The ${place} is not valid.`, details),
    };
  };
}

/** Query values are text; what is no number or no boolean stays text, and is refused as such. */
function fromText(schema: TSchema, input: unknown): unknown {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {};
  const converted: Record<string, unknown> = { ...(input as object) };
  for (const [name, { type }] of Object.entries(properties)) {
    const value = converted[name];
    if (type === 'array' && typeof value === 'string') converted[name] = [value];
    else if (type === 'boolean' && (value === 'true' || value === 'false'))
      converted[name] = value === 'true';
    else if (
      (type === 'integer' || type === 'number') &&
      typeof value === 'string' &&
      /^-?\d+(\.\d+)?$/.test(value)
    ) {
      converted[name] = Number(value);
    }
  }
  return converted;
}

interface ValidationError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function detailsOf(errors: readonly ValidationError[], place: string): ErrorDetail[] {
  // The alternatives of an `anyOf` each complain; together they only say that none fits.
  const unions = new Set(
    errors.filter((error) => error.keyword === 'anyOf').map((error) => error.instancePath),
  );
  return errors
    .filter((error) => error.keyword === 'anyOf' || !unions.has(error.instancePath))
    .slice(0, 20)
    .map((error) => ({ path: place + error.instancePath.replaceAll('/', '.'), rule: ruleOf(error) }));
}

function ruleOf({ keyword, message, params }: ValidationError): string {
  if (keyword === 'enum' && 'allowedValues' in params)
    return `must be one of ${JSON.stringify(params.allowedValues)}`;
  if (keyword === 'required' && 'requiredProperties' in params) {
    return `must have ${(params.requiredProperties as string[]).join(', ')}`;
  }
  if (keyword === 'anyOf') return 'must be one of the forms that the reference shows';
  return message;
}

function pathIdsOf(operation: NamedOperation): PathId[] {
  const properties = (operation.params?.properties ?? {}) as Record<string, { [REFERENCE]?: Reference }>;
  return Object.entries(properties).flatMap(([param, schema]) => {
    const reference = schema[REFERENCE];
    return reference ? [{ ...reference, param }] : [];
  });
}

/** The id in the path that is the target's own, and the one that encloses it where ids are unique only there. */
export function targetParams(
  plan: Plan,
  resource: Resource,
): { own: string | undefined; within: string | undefined } {
  if (!resource.match.includes(':ids')) return { own: undefined, within: undefined };
  const own = plan.pathIds.findLast((id) => id.resource === resource);
  if (!own) throw new Error(`${plan.operation.id}: no {id} of ${resource.name} in ${plan.operation.path}`);
  return { own: own.param, within: plan.pathIds.find((id) => id.resource === resource.within)?.param };
}

function serialiser(schema: TSchema | undefined): (answer: unknown) => string {
  if (!schema) return () => '';
  let stringify: ((answer: unknown) => string) | undefined;
  return (answer) => (stringify ??= fastJson(schema as fastJson.Schema))(answer);
}
