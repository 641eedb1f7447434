import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { REFERENCE, type Reference } from '../../api/resource.ts';
import { MEMBER_SCOPE, type Scope } from '../../api/scope.ts';

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
  const walk = (node: SchemaNode, inner: unknown, at: string): void => {
    // Most parts of a schema have no marks, and checking a value against every branch of a union takes time.
    if (inner === undefined || !holds(node, mark)) return;
    visit(node, inner, at);
    if (inner === null) return;
    for (const branch of node.anyOf ?? []) {
      if (holds(branch, mark) && Check(branch as TSchema, inner)) walk(branch, inner, at);
    }
    if (Array.isArray(inner)) {
      const { items } = node;
      if (items) for (const [index, item] of inner.entries()) walk(items, item, `${at}[${index}]`);
    } else if (typeof inner === 'object') walkMembers(node, inner as Record<string, unknown>, at, walk);
  };
  if (schema) walk(schema as SchemaNode, value, path);
}

function walkMembers(schema: SchemaNode, value: Record<string, unknown>, path: string, walk: Visit): void {
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    walk(member, value[name], `${path}.${name}`);
  for (const member of Object.values(schema.patternProperties ?? {})) {
    for (const [name, inner] of Object.entries(value)) walk(member, inner, `${path}.${name}`);
  }
  if (schema.propertyNames)
    for (const name of Object.keys(value)) walk(schema.propertyNames, name, `${path}.${name}`);
}

const known: Record<Mark, WeakMap<SchemaNode, boolean>> = {
  [REFERENCE]: new WeakMap(),
  [MEMBER_SCOPE]: new WeakMap(),
};

/** Whether a schema or a part of it has the mark. */
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
