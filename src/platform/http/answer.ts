import { createHash } from 'node:crypto';
import { exceeds, requireSendableBody } from '../api/answer-size.ts';
import type { TSchema } from 'typebox';
import type { Addresses } from '../api/context.ts';
import { etagOf, etagOfHash } from '../api/etag.ts';
import { Encoded } from '../api/operation.ts';
import { inSlices } from '../threads/slices.ts';
import type { Endpoint } from './endpoint.ts';
import { serialiseInSteps } from './serialise-large.ts';

/** An HTTP response of an operation, ready to be sent or stored. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export const PRIVATE = 'private, no-cache';
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': PRIVATE,
  'x-content-type-options': 'nosniff',
};

interface Admitted {
  readonly params: unknown;
  readonly target: unknown;
}

/** Characters of JSON that take a few milliseconds. More are serialised in slices. */
const LARGE = 300_000;

/** At once, unless it is large. */
export function answerOf(
  endpoint: Endpoint,
  result: unknown,
  admitted: Admitted,
  addresses: Addresses,
): Answer | Promise<Answer> {
  const { operation } = endpoint;
  if (!operation.response)
    return { status: operation.status, headers: { 'cache-control': 'no-store' }, body: '' };
  const headers: Record<string, string> = { ...JSON_HEADERS };
  if (result instanceof Encoded) {
    requireSendableBody(result.body);
    headers['etag'] = result.etag;
    return { status: operation.status, headers, body: result.body };
  }
  if (operation.status === 201) {
    const path = operation.location?.(result, { params: admitted.params });
    const location = path === undefined ? locationOf(result) : addresses.of(path);
    if (location) headers['location'] = location;
  }
  const version =
    operation.method === 'GET' && operation.version ? operation.version(admitted.target) : undefined;
  if (exceeds(result, LARGE)) return largeAnswer(operation, result, headers, version);
  const body = endpoint.serialise(result);
  requireSendableBody(body);
  if (version !== undefined) headers['etag'] = etagOf(version, body);
  return { status: operation.status, headers, body };
}

async function largeAnswer(
  { status, response }: Endpoint['operation'],
  result: unknown,
  headers: Record<string, string>,
  version: string | number | undefined,
): Promise<Answer> {
  const hash = version === undefined ? undefined : createHash('sha1');
  const body = await inSlices(serialiseInSteps(response as TSchema, result, hash));
  if (hash && version !== undefined) headers['etag'] = etagOfHash(version, hash.digest('base64url'));
  return { status, headers, body };
}

const locationOf = (result: unknown) => (result as { urls?: { location?: string } }).urls?.location;
