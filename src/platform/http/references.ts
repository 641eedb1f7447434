import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { REFERENCE, type Reference } from '../resource.ts';

export interface FoundId extends Reference {
  readonly id: string;
  readonly path: string;
}

interface SchemaNode {
  readonly [REFERENCE]?: Reference;
  readonly properties?: Record<string, SchemaNode>;
  readonly patternProperties?: Record<string, SchemaNode>;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

/** Every id of a resource that stands in `value`, as its schema marks them (`idOf`). `value` is valid already. */
export function idsIn(schema: TSchema | undefined, value: unknown, path: string): FoundId[] {
  const found: FoundId[] = [];
  if (schema && hasReferences(schema as SchemaNode)) walk(schema as SchemaNode, value, path, found);
  return found;
}

function walk(schema: SchemaNode, value: unknown, path: string, found: FoundId[]): void {
  if (value === undefined || value === null) return;
  const reference = schema[REFERENCE];
  if (reference && typeof value === 'string') found.push({ ...reference, id: value, path });
  for (const branch of schema.anyOf ?? []) {
    if (Check(branch as TSchema, value)) walk(branch, value, path, found);
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const [index, item] of value.entries()) walk(items, item, `${path}[${index}]`, found);
  } else if (typeof value === 'object') {
    walkMembers(schema, value as Record<string, unknown>, path, found);
  }
}

function walkMembers(
  schema: SchemaNode,
  value: Record<string, unknown>,
  path: string,
  found: FoundId[],
): void {
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    walk(member, value[name], `${path}.${name}`, found);
  for (const member of Object.values(schema.patternProperties ?? {})) {
    for (const [name, inner] of Object.entries(value)) walk(member, inner, `${path}.${name}`, found);
  }
  if (schema.propertyNames)
    for (const name of Object.keys(value)) walk(schema.propertyNames, name, `${path}.${name}`, found);
}

const known = new WeakMap<SchemaNode, boolean>();

/** Most schemas hold no id at all; they are not walked for every request. */
function hasReferences(schema: SchemaNode): boolean {
  let answer = known.get(schema);
  if (answer === undefined) {
    answer = schema[REFERENCE] !== undefined || parts(schema).some(hasReferences);
    known.set(schema, answer);
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
