import { accessText } from './operation-index.ts';
import type { NamedOperation } from '../api/operation.ts';
import { errorReference, errorResponses, errorsOf } from './errors.ts';
import { HEADERS, parametersOf } from './parameters.ts';
import { describeSchema, type Components, type Json } from './schemas.ts';

/** The OpenAPI 3.1 document of these operations. What would make it contradict itself is a bug, and throws. */
export function openApiDocument(
  operations: readonly NamedOperation[],
  info: { version: string; url: string },
): object {
  const components: Components = new Map();
  const responses = errorResponses(components);
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    const method = operation.method.toLowerCase();
    if (ids.has(operation.id) || method in path) {
      throw new Error(`OpenAPI: ${operation.id} (${operation.method} ${operation.path}) is there twice`);
    }
    ids.add(operation.id);
    path[method] = describeOperation(operation, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Octavo',
      version: info.version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.url }],
    tags: [...new Set(operations.map(({ folder }) => folder))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      responses,
      parameters: HEADERS,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of a user; `octavo token create` makes one',
        },
      },
    },
  };
}

function describeOperation(operation: NamedOperation, components: Components): Json {
  const { id, folder, summary, access, scope, body, bodyOptional } = operation;
  const parameters = parametersOf(operation, components);
  return {
    operationId: id,
    summary,
    description: descriptionOf(operation),
    tags: [folder],
    security: access.kind === 'anyone' ? [] : [{ bearer: [] }],
    'x-octavo-access': accessText(operation),
    'x-octavo-scope': scope,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: !bodyOptional, content: json(describeSchema(body, components)) } }
      : {}),
    responses: {
      ...successOf(operation, components),
      ...Object.fromEntries(errorsOf(operation).map((status) => [status, errorReference(status)])),
    },
  };
}

function descriptionOf({ access, scope, description }: NamedOperation): string {
  const token = scope
    ? `A limited token needs the scope \`${scope}\`.`
    : 'A token limited to scopes will not do.';
  const needs = access.kind === 'anyone' ? 'Open to anyone.' : `${callerText(access)} ${token}`;
  return description ? `${description}\n\n${needs}` : needs;
}

function callerText(access: NamedOperation['access']): string {
  if (access.kind !== 'target') return 'Any user may call this.';
  const { resource, action } = access;
  const least = resource.needs[action]?.role;
  const role = least ? ` (role \`${least}\` or more)` : '';
  return `The caller needs \`${action}\` on the ${resource.name.toLowerCase()}${role}.`;
}

function successOf(operation: NamedOperation, components: Components): Json {
  const { method, status, response, version, access } = operation;
  const hasEtag = method === 'GET' && version !== undefined;
  const headers: Json = {
    ...(status === 201 && response
      ? { Location: header('Where what was created can be read', 'uri-reference') }
      : {}),
    ...(hasEtag ? { ETag: header('For `If-None-Match`, and for `If-Match` of a change') } : {}),
    ...(method === 'POST' && access.kind !== 'anyone'
      ? {
          'Idempotency-Replayed': header(
            '`true`: the stored answer to an earlier request with this `Idempotency-Key`',
          ),
        }
      : {}),
  };
  const success = {
    description: PHRASES[status],
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(response ? { content: json(describeSchema(response, components)) } : {}),
  };
  return {
    [status]: success,
    ...(hasEtag ? { 304: { description: 'What the caller has is still right' } } : {}),
  };
}

const PHRASES = {
  200: 'Done',
  201: 'Created',
  204: 'Done; there is no content',
  205: 'Done; there is no content',
};

const json = (schema: Json): Json => ({ 'application/json': { schema } });

const header = (description: string, format?: string): Json => ({
  description,
  schema: { type: 'string', ...(format ? { format } : {}) },
});

const INTRODUCTION = `Everything Octavo does, over HTTP and JSON.

**Tokens.** Send \`Authorization: Bearer <token>\`. A token has the rights of its user; one with scopes has only those.

**Errors.** \`{"error":{"code":404,"message":"…"}}\`: the code is the HTTP status, the message says what to do. What you
may not view is 404, as if it did not exist; what you may view but not do is 403.

**Lists** answer \`items\`, \`count\` (the total) and, where there is more, \`next.page\`: send it as \`page\` with the same
filters. \`limit\` is 50 unless you say otherwise.

**Changes at the same time.** A single object comes with an \`ETag\`. Send it as \`If-Match\` with a change to be refused
(412) if somebody was faster, or as \`If-None-Match\` to read only what is new (304).

**Repeating.** A POST with an \`Idempotency-Key\` acts once, however often it is sent.

Unknown fields and parameters are ignored; wrong values are refused.`;
