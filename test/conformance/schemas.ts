import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { contractOperation } from './contract.ts';
import { FOREIGN_ANSWERS, SCHEMA_CHANGES, type SchemaChange } from './exemptions.ts';
import { applyChange, jsonSchemaOf } from './json-schema.ts';
import { readSpec, routeAt, type Spec, type SpecRoute } from './spec.ts';

const MAX_VIOLATIONS = 20;

/**
 * How a successful response differs from the public schema of its operation, as sentences. Empty if it conforms, or
 * if the schema does not know the operation (one of our own).
 */
export function violationsOf(method: string, path: string, status: number, body: unknown): string[] {
  const route = routeAt(method, path);
  if (!route) return [];
  const statuses = allowedStatuses(route);
  if (!statuses.includes(status)) return [`status ${status}: expected ${statuses.join(' or ')}`];
  if (FOREIGN_ANSWERS.some(({ operationIds }) => operationIds.includes(route.operationId))) return [];
  const validate = validatorOf(route, status);
  if (!validate) return isEmpty(body) ? [] : [`body: expected none with status ${status}`];
  if (validate(body)) return [];
  return sentencesOf(validate.errors ?? []);
}

/** The contract is authoritative; the schema, which often lists several statuses, decides only where it has none. */
function allowedStatuses(route: SpecRoute): number[] {
  const contracted = contractOperation(route.method, route.path);
  if (contracted) return [contracted.status];
  return Object.keys(route.responses)
    .filter((status) => status.startsWith('2'))
    .map(Number);
}

const isEmpty = (body: unknown): boolean => body === undefined || body === null || body === '';

const validators = new Map<string, ValidateFunction | undefined>();

function validatorOf(route: SpecRoute, status: number): ValidateFunction | undefined {
  const key = `${route.operationId} ${status}`;
  if (!validators.has(key)) {
    const schema = route.responses[status]?.content?.['application/json']?.schema;
    validators.set(key, schema && ajv().compile(jsonSchemaOf(schema)));
  }
  return validators.get(key);
}

let instance: Ajv | undefined;

const ajv = (): Ajv => (instance ??= ajvWith(SCHEMA_CHANGES));

/** Contains every component by name. Ajv compiles only those of the 828 that a response refers to. */
export function ajvWith(changes: readonly SchemaChange[], of: Spec = readSpec(), allErrors = false): Ajv {
  // An alternative ends at its first error: blocks are alternatives within alternatives.
  const validator = new Ajv({ strict: false, validateSchema: false, logger: false, allErrors });
  addFormats.default(validator);
  // Neither is a standard format, and the schema does not define them.
  validator.addFormat('emoji', true).addFormat('icon', true);
  const { schemas } = of.components;
  for (const change of changes) applyChange(schemas, change);
  for (const [name, schema] of Object.entries(schemas)) validator.addSchema(jsonSchemaOf(schema), name);
  return validator;
}

export function sentencesOf(errors: readonly ErrorObject[]): string[] {
  const sentences = errors.map((error) => {
    const allowed = error.keyword === 'enum' ? ` ${JSON.stringify(error.params['allowedValues'])}` : '';
    return `body${error.instancePath} ${error.message ?? error.keyword}${allowed}`;
  });
  return [...new Set(sentences)].slice(0, MAX_VIOLATIONS);
}
