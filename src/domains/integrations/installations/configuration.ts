import { badRequest } from '../../../platform/api/errors.ts';
import type { Configuration, Property } from '../policy.ts';
import { propertiesOf, type Values } from './schema.ts';

/** Throws 400 for values that the integration does not declare. */
export function requireConfiguration(schema: Configuration | undefined, values: Values): void {
  const properties = propertiesOf(schema);
  if (!properties) return;
  for (const [name, value] of Object.entries(values)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const rule = property ? violated(property, value) : 'is no property that the integration declares';
    if (rule)
      throw badRequest(`body.configuration.${name} ${rule}.`, [{ path: `body.configuration.${name}`, rule }]);
  }
}

function violated(property: Property, value: unknown): string | undefined {
  if (property.type === 'button') return 'is a button, which has no value';
  if (typeof value !== property.type) return `must be a ${property.type}`;
  if (property.type === 'string' && property.enum && !property.enum.includes(value as string))
    return `must be one of ${property.enum.map((each) => JSON.stringify(each)).join(', ')}`;
  return undefined;
}
