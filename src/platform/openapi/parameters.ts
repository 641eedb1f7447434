import type { TObject } from 'typebox';
import type { NamedOperation } from '../api/operation.ts';
import { describeSchema, type Components, type Json } from './schemas.ts';

export function parametersOf(operation: NamedOperation, components: Components): Json[] {
  const { id, path, method, params, query, version, access, isReadOnly } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted();
  const declared = Object.keys(params?.properties ?? {}).toSorted();
  if (inPath.join() !== declared.join()) {
    throw new Error(
      `OpenAPI: ${id} declares the params [${declared.join()}], its path has [${inPath.join()}]`,
    );
  }
  const headers = [
    ...(method === 'POST' && access.kind !== 'anyone' && !isReadOnly ? ['IdempotencyKey'] : []),
    ...(version ? [method === 'GET' ? 'IfNoneMatch' : 'IfMatch'] : []),
  ];
  return [
    ...fieldsOf(params, 'path', components),
    ...fieldsOf(query, 'query', components),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function fieldsOf(schema: TObject | undefined, place: 'path' | 'query', components: Components): Json[] {
  const required = (schema as { required?: string[] } | undefined)?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = describeSchema(field, components);
    const parameter: Json = { name, in: place, required: required.includes(name), schema: rest };
    if (description !== undefined) parameter['description'] = description;
    return parameter;
  });
}

/** `components.parameters`: headers of many operations. */
export const HEADERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes retries safe: for 24 hours, the same key and body return the stored response',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: '`ETag` as read: if the resource has changed since, nothing happens and the response is 412',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: '`ETag` of the cached copy: if it is current, the response is 304 without content',
    schema: { type: 'string' },
  },
};
