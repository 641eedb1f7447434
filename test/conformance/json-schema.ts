import type { SchemaChange } from './exemptions.ts';
import type { SpecSchema } from './spec.ts';

const LISTS = new Set(['allOf', 'anyOf', 'oneOf']);
const NESTED = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);

/** Keywords of OpenAPI that do not validate; `discriminator` over `allOf` variants is more than Ajv supports. */
const DROPPED = new Set([
  'nullable',
  'discriminator',
  'example',
  'default',
  'deprecated',
  'description',
  'title',
]);

const isSchema = (value: unknown): value is SpecSchema => typeof value === 'object' && value !== null;

/** OpenAPI 3.0.3 to JSON Schema; components are referenced by their bare name. */
export function jsonSchemaOf(schema: SpecSchema): SpecSchema {
  const { $ref } = schema;
  const plain = typeof $ref === 'string' ? { $ref: $ref.split('/').at(-1) } : withoutNulls(schema);
  if (schema['nullable'] !== true) return plain;
  return { anyOf: [plain, { type: 'null' }] };
}

function withoutNulls(schema: SpecSchema): SpecSchema {
  const converted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!DROPPED.has(keyword)) converted[keyword] = convert(keyword, value);
  }
  return converted;
}

function convert(keyword: string, value: unknown): unknown {
  if (LISTS.has(keyword)) return (value as SpecSchema[]).map(jsonSchemaOf);
  if (NESTED.has(keyword)) return isSchema(value) ? jsonSchemaOf(value) : value;
  if (keyword !== 'properties') return value;
  const members = Object.entries(value as Record<string, SpecSchema>);
  return Object.fromEntries(members.map(([name, member]) => [name, jsonSchemaOf(member)]));
}

/** Applies an exemption to the components, in place. Throws if its path does not exist, or is no union. */
export function applyChange(components: Record<string, SpecSchema>, exemption: SchemaChange): void {
  const steps = exemption.at.split('/');
  const last = steps.pop() ?? '';
  let holder: Record<string, unknown> | undefined = components;
  for (const step of steps) holder = holder?.[step] as Record<string, unknown> | undefined;
  const found = holder?.[last] as SpecSchema | undefined;
  if (!holder || !found) throw new Error(`exemptions.ts: the public schema has nothing at ${exemption.at}`);
  holder[last] = changed(found, exemption);
}

function changed(schema: SpecSchema, exemption: SchemaChange): SpecSchema {
  if (exemption.change === 'replace') return exemption.by;
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf)) throw new Error(`exemptions.ts: no oneOf at ${exemption.at}`);
  if (exemption.change === 'anyOf') return { ...rest, anyOf: oneOf };
  return { ...rest, oneOf: [...oneOf, ...exemption.alternatives] };
}
