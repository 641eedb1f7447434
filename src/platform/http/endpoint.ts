import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { badRequest, type ApiError } from '../api/errors.ts';
import type { NamedOperation } from '../api/operation.ts';
import { REFERENCE, type Reference, type Resource } from '../api/resource.ts';
import { removeUnknown } from './receive/remove-unknown.ts';
import { serialiser } from './answer/serialiser.ts';
import { detailsOf } from './receive/validation-details.ts';

/** An operation, compiled: its validators, its serialiser, and the target of its path. */
export interface Endpoint {
  readonly operation: NamedOperation;
  readonly params: Checker;
  readonly query: Checker;
  readonly body: Checker;
  readonly pathIds: readonly PathId[];
  readonly target: TargetPlace | undefined;
  readonly serialise: (answer: unknown) => string;
}

export interface PathId extends Reference {
  readonly param: string;
}

/** The target of an operation, and the path parameters that identify it. */
interface TargetPlace {
  readonly resource: Resource;
  /** Undefined where the caller alone determines the row. */
  readonly own: string | undefined;
  /** The id of the enclosing resource, where ids are unique only within it. */
  readonly within: string | undefined;
}

/** The validated value, or the error to answer with. */
export type Checked = { readonly value: unknown; readonly error?: undefined } | { readonly error: ApiError };
export type Checker = (input: unknown) => Checked;

export function endpointOf(operation: NamedOperation): Endpoint {
  const pathIds = pathIdsOf(operation);
  return {
    operation,
    params: checker(operation.params, 'path', namedRest(operation), identity),
    query: memoizeEmpty(checker(operation.query, 'query', fromText(operation.query), identity)),
    body: checker(operation.body, 'body', identity, (value) =>
      removeUnknown(operation.body as TSchema, value),
    ),
    pathIds,
    target: targetOf(operation, pathIds),
    serialise: serialiser(operation.response),
  };
}

type Validator = ReturnType<typeof Compile>;

/** `convert` runs before the check, `clean` after it. Compiled on first use, which keeps the start fast. */
function checker(
  schema: TSchema | undefined,
  place: string,
  convert: (input: unknown) => unknown,
  clean: (value: unknown) => unknown,
): Checker {
  if (!schema) return () => ({ value: {} });
  let validator: Validator | undefined;
  return (input) => {
    validator ??= Compile(schema);
    const value = convert(input);
    if (validator.Check(value)) return { value: clean(value) };
    const details = detailsOf(schema, value, place);
    const first = details[0];
    return {
      error: badRequest(first ? `${first.path}: ${first.rule}.` : `The ${place} is invalid.`, details),
    };
  };
}

/** Most requests have no query: its result is computed once. */
function memoizeEmpty(check: Checker): Checker {
  let empty: Checked | undefined;
  return (input) => {
    if (Object.keys(input as object).length > 0) return check(input);
    return (empty ??= Object.freeze(check(input)));
  };
}

const identity = (input: unknown): unknown => input;

/** The router calls the rest of a path `*`; the operation has a name for it. */
function namedRest({ path, takesRest }: NamedOperation): (input: unknown) => unknown {
  const name = takesRest && /\{(\w+)\}$/.exec(path)?.[1];
  if (!name) return identity;
  return (input) => {
    const { '*': rest, ...params } = input as Record<string, string>;
    return { ...params, [name]: rest };
  };
}

/**
 * The declared members of a query, converted from text; text that is not a number or boolean stays text and fails the
 * check. Defaults are filled in here, so that cursors of a list are the same with and without an explicit default.
 */
function fromText(schema: TSchema | undefined): (input: unknown) => unknown {
  const properties =
    (schema as { properties?: Record<string, { type?: string; default?: unknown }> } | undefined)
      ?.properties ?? {};
  const known = Object.entries(properties);
  return (input) => {
    const converted: Record<string, unknown> = {};
    for (const [name, { type, default: fallback }] of known) {
      const value = (input as Record<string, unknown>)[name] ?? fallback;
      if (value !== undefined) converted[name] = typeof value === 'string' ? valueOf(type, value) : value;
    }
    return converted;
  };
}

function valueOf(type: string | undefined, text: string): unknown {
  if (type === 'array') return [text];
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function pathIdsOf(operation: NamedOperation): PathId[] {
  const properties = (operation.params?.properties ?? {}) as Record<string, { [REFERENCE]?: Reference }>;
  return Object.entries(properties).flatMap(([param, schema]) => {
    const reference = schema[REFERENCE];
    return reference ? [{ ...reference, param }] : [];
  });
}

function targetOf(
  { id: name, path, access }: NamedOperation,
  pathIds: readonly PathId[],
): TargetPlace | undefined {
  if (access.kind !== 'target') return undefined;
  const { resource } = access;
  if (!resource.match.includes(':ids')) return { resource, own: undefined, within: undefined };
  const own = pathIds.findLast((id) => id.resource === resource);
  if (!own) throw new Error(`${name}: no {id} of ${resource.name} in ${path}`);
  return {
    resource,
    own: own.param,
    within: pathIds.find((id) => id.resource === resource.within)?.param,
  };
}
