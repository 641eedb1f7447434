import type { ErrorStatus } from '../api/errors.ts';
import { isRead, type NamedOperation } from '../api/operation.ts';
import { mentionsIds, referTo, type Components, type Json } from './schemas.ts';

/** The error responses of an operation that follow from its declaration. */
export function errorsOf(operation: NamedOperation): ErrorStatus[] {
  const { access, method, params, query, body, response, version } = operation;
  const isOpen = access.kind === 'anyone';
  const isWrite = !isRead(operation);
  const hasIds = access.kind === 'target' || [params, query, body].some(mentionsIds);
  const can: Record<ErrorStatus, boolean> = {
    400: Boolean(params ?? query ?? body),
    401: !isOpen,
    403: !isOpen || hasIds,
    404: hasIds,
    // The reference lists what is served.
    405: false,
    409: isWrite,
    412: isWrite && version !== undefined,
    413: body !== undefined || (response !== undefined && query !== undefined),
    415: body !== undefined,
    // No operation asks for the header.
    417: false,
    422: isWrite && method === 'POST' && !isOpen,
    429: true,
    500: false,
    // Operations that need a program say so.
    501: false,
    503: true,
    507: isWrite,
  };
  return (Object.keys(can).map(Number) as ErrorStatus[]).filter((status) => can[status]);
}

export const errorReference = (status: ErrorStatus): Json => ({
  $ref: `#/components/responses/${RESPONSES[status].name}`,
});

/** `components.responses`: every error, once. */
export function errorResponses(components: Components): Json {
  const schema = referTo('Error', ERROR, components);
  return Object.fromEntries(
    Object.values(RESPONSES).map(({ name, description, headers }) => [
      name,
      { description, ...(headers ? { headers } : {}), content: { 'application/json': { schema } } },
    ]),
  );
}

const ERROR: Json = {
  type: 'object',
  title: 'Error',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'HTTP status' },
        message: { type: 'string', description: 'What is wrong and what to do' },
        details: {
          type: 'array',
          description: 'For 400: every validation error',
          items: {
            type: 'object',
            required: ['path', 'rule'],
            properties: {
              path: { type: 'string', description: 'Location of the value, such as `body.title`' },
              rule: { type: 'string', description: 'Violated rule' },
            },
          },
        },
      },
    },
  },
};

const whole = (description: string): Json => ({ description, schema: { type: 'integer' } });
const retryAfter = { 'Retry-After': whole('Seconds to wait before retrying') };

const RESPONSES: Record<ErrorStatus, { name: string; description: string; headers?: Json }> = {
  400: { name: 'BadRequest', description: 'The path, query or body is invalid; `details` lists every error' },
  401: { name: 'Unauthorized', description: 'The token is missing or invalid' },
  403: {
    name: 'Forbidden',
    description: 'The role of the caller or the scopes of the token do not allow this',
  },
  404: { name: 'NotFound', description: 'The resource does not exist, or the caller may not view it' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not support this method; `Allow` lists the supported methods',
  },
  409: { name: 'Conflict', description: 'The current state of the resource does not allow this' },
  412: { name: 'PreconditionFailed', description: 'The resource has changed since it was read (`If-Match`)' },
  413: {
    name: 'TooLarge',
    description:
      'The body exceeds the limit of this operation, the response exceeds 64 MB, or the storage quota of the organization is exhausted',
  },
  415: { name: 'UnsupportedMediaType', description: 'The body is not `application/json`' },
  417: {
    name: 'ExpectationFailed',
    description: 'The header `Expect` is not `100-continue`',
  },
  422: { name: 'KeyReused', description: 'This `Idempotency-Key` was used with a different body or query' },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit is exceeded',
    headers: {
      ...retryAfter,
      'X-RateLimit-Limit': whole('Requests per minute'),
      'X-RateLimit-Remaining': whole('Remaining requests in the current minute'),
      'X-RateLimit-Reset': whole('Time at which the limit resets, in epoch seconds'),
    },
  },
  500: { name: 'Bug', description: 'Internal error; the log contains it under `X-Request-Id`' },
  501: { name: 'NotInstalled', description: 'The server lacks a program that this operation needs' },
  503: { name: 'Unavailable', description: 'The database is temporarily unavailable', headers: retryAfter },
  507: { name: 'InsufficientStorage', description: 'The disk of the server is full; nothing was stored' },
};
