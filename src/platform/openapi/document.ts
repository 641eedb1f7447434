import type { NamedOperation } from '../api/operation.ts';
import { errorReference, errorResponses, errorsOf } from './errors.ts';
import { HEADERS, parametersOf } from './parameters.ts';
import { describeSchema, type Components, type Json } from './schemas.ts';

/** The OpenAPI 3.1 document of these operations. Throws if declarations contradict each other. */
export function openApiDocument(
  operations: readonly NamedOperation[],
  info: { version: string; url: string },
): object {
  const components: Components = new Map();
  const responses = errorResponses(components);
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    // A path that ends with a slash is served without it, too, and linters refuse one.
    const path = (paths[operation.path.replace(/(.)\/$/, '$1')] ??= {});
    const method = operation.method.toLowerCase();
    if (ids.has(operation.id) || method in path) {
      throw new Error(`OpenAPI: ${operation.id} (${operation.method} ${operation.path}) is declared twice`);
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
          description: 'Token of a user; `octavo token create` creates one',
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
  const token = scope ? `A scoped token needs the scope \`${scope}\`.` : 'Scoped tokens are not accepted.';
  const needs = access.kind === 'anyone' ? 'No authentication required.' : `${callerText(access)} ${token}`;
  return description ? `${description}\n\n${needs}` : needs;
}

function callerText(access: NamedOperation['access']): string {
  if (access.kind !== 'target') return 'Any authenticated user may call this.';
  const { resource, action } = access;
  const least = resource.needs[action]?.role;
  const role = least ? ` (role \`${least}\` or higher)` : '';
  return `Requires the permission \`${action}\` on the ${resource.name.toLowerCase()}${role}.`;
}

function successOf(operation: NamedOperation, components: Components): Json {
  const { method, status, response, version, access } = operation;
  const hasEtag = method === 'GET' && version !== undefined;
  const headers: Json = {
    ...(status === 201 && response
      ? { Location: header('URL of the created resource', 'uri-reference') }
      : {}),
    ...(hasEtag ? { ETag: header('Version of the resource, for `If-None-Match` and `If-Match`') } : {}),
    ...(method === 'POST' && access.kind !== 'anyone'
      ? {
          'Idempotency-Replayed': header(
            '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`',
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
    ...(hasEtag ? { 304: { description: 'Not modified' } } : {}),
  };
}

const PHRASES = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, no content',
  205: 'Success, no content',
};

const json = (schema: Json): Json => ({ 'application/json': { schema } });

const header = (description: string, format?: string): Json => ({
  description,
  schema: { type: 'string', ...(format ? { format } : {}) },
});

const INTRODUCTION = `The HTTP and JSON API of Octavo.

**Authentication.** Send \`Authorization: Bearer <token>\`. A token has the rights of its user; scopes limit it.

**Errors.** \`{"error":{"code":404,"message":"…"}}\`: \`code\` is the HTTP status, \`message\` says what is wrong and what to
do. A resource that you may not view returns 404; an action that you may not perform on a visible resource returns 403.

**Pagination.** Lists return \`items\`, \`count\` (the total) and, if there are more items, \`next.page\`. Send it as \`page\`
with the same filters. \`limit\` defaults to 50.

**Concurrency.** A single resource has an \`ETag\`. Send it as \`If-Match\` with a write, which then fails (412) if the
resource has changed, or as \`If-None-Match\` with a read, which then returns 304 if it has not.

**Retries.** A POST with an \`Idempotency-Key\` takes effect once, however often it is sent.

Unknown members and parameters are ignored; invalid values are rejected.`;

/** `Team: admin` (the target and the action on it), `signed in`, `anyone`. */
export function accessText({ access }: NamedOperation): string {
  switch (access.kind) {
    case 'anyone':
      return 'anyone';
    case 'signed-in':
      return 'signed in';
    case 'target':
      return `${access.resource.name}: ${access.action}`;
  }
}
