import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { REFERENCE, type Reference } from '../api/resource.ts';
import { MEMBER_SCOPE, type Scope } from '../api/scope.ts';

export interface FoundId extends Reference {
  readonly id: string;
  readonly path: string;
}

interface SchemaNode {
  readonly [REFERENCE]?: Reference;
  readonly [MEMBER_SCOPE]?: Scope;
  readonly properties?: Record<string, SchemaNode>;
  readonly patternProperties?: Record<string, SchemaNode>;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

type Mark = typeof REFERENCE | typeof MEMBER_SCOPE;
type Visit = (schema: SchemaNode, value: unknown, path: string) => void;

/** Every id of a resource in `value`, as its schema marks them (`idOf`). `value` is valid already. */
export function idsIn(schema: TSchema | undefined, value: unknown, path: string): FoundId[] {
  const found: FoundId[] = [];
  walkMarked(REFERENCE, schema, value, path, (node, id, at) => {
    const reference = node[REFERENCE];
    if (reference && typeof id === 'string') found.push({ ...reference, id, path: at });
  });
  return found;
}

/** The scopes that the members of `value` need, as its schema marks them (`needsScope`). `value` is valid already. */
export function scopesIn(schema: TSchema | undefined, value: unknown): Scope[] {
  const found = new Set<Scope>();
  walkMarked(MEMBER_SCOPE, schema, value, '', (node) => {
    const scope = node[MEMBER_SCOPE];
    if (scope) found.add(scope);
  });
  return [...found];
}

function walkMarked(
  mark: Mark,
  schema: TSchema | undefined,
  value: unknown,
  path: string,
  visit: Visit,
): void {
  if (schema && holds(schema as SchemaNode, mark)) walk(schema as SchemaNode, value, path, visit);
}

function walk(schema: SchemaNode, value: unknown, path: string, visit: Visit): void {
  if (value === undefined) return;
  visit(schema, value, path);
  if (value === null) return;
  for (const branch of schema.anyOf ?? []) {
    if (Check(branch as TSchema, value)) walk(branch, value, path, visit);
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const [index, item] of value.entries()) walk(items, item, `${path}[${index}]`, visit);
  } else if (typeof value === 'object') {
    walkMembers(schema, value as Record<string, unknown>, path, visit);
  }
}

function walkMembers(schema: SchemaNode, value: Record<string, unknown>, path: string, visit: Visit): void {
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    walk(member, value[name], `${path}.${name}`, visit);
  for (const member of Object.values(schema.patternProperties ?? {})) {
    for (const [name, inner] of Object.entries(value)) walk(member, inner, `${path}.${name}`, visit);
  }
  if (schema.propertyNames)
    for (const name of Object.keys(value)) walk(schema.propertyNames, name, `${path}.${name}`, visit);
}

const known: Record<Mark, WeakMap<SchemaNode, boolean>> = {
  [REFERENCE]: new WeakMap(),
  [MEMBER_SCOPE]: new WeakMap(),
};

/** Most schemas have no marks, and need not be walked for every request. */
function holds(schema: SchemaNode, mark: Mark): boolean {
  let answer = known[mark].get(schema);
  if (answer === undefined) {
    answer = schema[mark] !== undefined || parts(schema).some((part) => holds(part, mark));
    known[mark].set(schema, answer);
  }
  return answer;
}

function parts(schema: SchemaNode): SchemaNode[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...(schema.propertyNames ? [schema.propertyNames] : []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
}
