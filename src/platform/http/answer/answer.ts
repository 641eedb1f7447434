import { requireSendable, requireSendableBody } from '../../api/answer-size.ts';
import type { Context } from '../../api/context.ts';
import { etagOf } from '../../api/etag.ts';
import { Encoded } from '../../api/operation.ts';
import type { Endpoint } from '../endpoint.ts';

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

export function answerOf(
  endpoint: Endpoint,
  result: unknown,
  admitted: Admitted,
  { addresses, isFront }: Pick<Context, 'addresses' | 'isFront'>,
): Answer {
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
  // Before hundreds of megabytes are built only to be measured.
  requireSendable(result, isFront);
  const body = endpoint.serialise(result);
  requireSendableBody(body);
  if (version !== undefined) headers['etag'] = etagOf(version, body);
  return { status: operation.status, headers, body };
}

const locationOf = (result: unknown) => (result as { urls?: { location?: string } }).urls?.location;
