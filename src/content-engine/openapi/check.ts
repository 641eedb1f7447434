import { isObject, type JsonObject } from './parse.ts';
import { SpecificationError } from './specification-error.ts';

const VERSIONS = /^(2\.0|3\.[012](\.\d+)?(-.*)?)$/;

/** Throws unless this is a specification of a supported version. Small faults are left to those who read it. */
export function requireSpecification(root: JsonObject): void {
  const version = root['openapi'] ?? root['swagger'];
  if (version === undefined)
    throw fault('#', 'has neither a field "openapi" nor "swagger": it is not an OpenAPI specification');
  if (!VERSIONS.test(String(version)))
    throw fault(
      '#/openapi',
      `is "${String(version).slice(0, 40)}". Versions 2.0, 3.0, 3.1 and 3.2 are supported`,
    );
  for (const field of ['info', 'paths', 'webhooks', 'components', 'definitions']) {
    if (root[field] !== undefined && !isObject(root[field])) throw fault(`#/${field}`, 'is not an object');
  }
  for (const [path, item] of Object.entries((root['paths'] as JsonObject | undefined) ?? {})) {
    if (!path.startsWith('x-') && !isObject(item))
      throw fault(`#/paths/${escapePointer(path)}`, 'is not an object');
  }
}

const fault = (pointer: string, what: string) => new SpecificationError('PARSE_ERROR', `${pointer} ${what}.`);

export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
