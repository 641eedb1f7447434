import { isObject, type JsonObject } from '../parse.ts';
import { entries, list, strings, type Reader } from './reader.ts';

/**
 * The parts of 2.0 that later versions write elsewhere, in their form. An operation is converted when it is read, so that
 * nothing is copied, and a fault in one does not concern others.
 */

/** The body, from parameters in `body` or `formData`. */
export function bodyOfTwo(reader: Reader, operation: JsonObject, ofPath: unknown): JsonObject | undefined {
  const parameters = [...list(ofPath), ...list(operation['parameters'])].map((one) => reader.object(one));
  const body = parameters.findLast((parameter) => parameter['in'] === 'body');
  const consumes = mediaTypes(operation['consumes'] ?? reader.root['consumes']);
  if (body)
    return {
      description: body['description'],
      required: body['required'],
      content: contentFor(consumes ?? ['application/json'], { schema: body['schema'] }),
    };
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData');
  if (fields.length === 0) return undefined;
  const properties: JsonObject = {};
  for (const { name, in: _, required: __, ...schema } of fields) {
    if (typeof name !== 'string' || name === '__proto__') continue;
    properties[name] = schema['type'] === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
  }
  const required = fields.filter((field) => field['required'] === true).map(({ name }) => name);
  const types = consumes ?? [
    fields.some(({ type }) => type === 'file') ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
  ];
  return {
    required: required.length > 0,
    content: contentFor(types, { schema: { type: 'object', properties, required } }),
  };
}

/** A response whose schema and examples are beside its description. */
export function responseOfTwo(reader: Reader, operation: JsonObject, response: JsonObject): JsonObject {
  const { schema, examples } = response;
  if (schema === undefined && !isObject(examples)) return response;
  const types = mediaTypes(operation['produces'] ?? reader.root['produces']) ?? ['application/json'];
  const content = contentFor(types, { schema });
  for (const [type, example] of entries(examples)) {
    if (type.includes('/')) content[type] = { schema, example };
  }
  return { ...response, content };
}

const contentFor = (types: readonly string[], media: JsonObject): JsonObject =>
  Object.fromEntries(types.map((type) => [type, media]));

function mediaTypes(value: unknown): string[] | undefined {
  const types = strings(value);
  return types.length > 0 ? types.slice(0, 3) : undefined;
}

export function serversOfTwo({ host, basePath, schemes }: JsonObject): unknown[] {
  const path = typeof basePath === 'string' && basePath !== '/' ? basePath : '';
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const named = strings(schemes).filter((scheme) => scheme === 'https' || scheme === 'http');
  return (named.length > 0 ? named : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

const FLOWS: ReadonlyMap<unknown, string> = new Map([
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

/** A scheme of authentication. */
export function schemeOfTwo(scheme: JsonObject): JsonObject {
  if (scheme['type'] === 'basic') return { ...scheme, type: 'http', scheme: 'basic' };
  if (scheme['type'] !== 'oauth2' || typeof scheme['flow'] !== 'string') return scheme;
  return { ...scheme, flows: { [FLOWS.get(scheme['flow']) ?? scheme['flow']]: scheme } };
}
