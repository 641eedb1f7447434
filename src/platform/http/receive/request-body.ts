import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../api/errors.ts';
import { readJson } from './parse-json.ts';
import type { Endpoint } from '../endpoint.ts';

const NO_BYTES = Buffer.alloc(0);

/** The body of a request. It is parsed when it is read, so that errors in it come after those of access. */
export interface RequestBody {
  /** The bytes as they were sent. */
  readonly bytes: Buffer;
  read(): unknown;
}

export function requestBody({ operation, body }: Endpoint, request: FastifyRequest): RequestBody {
  const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
  let known: { readonly value: unknown } | undefined;
  const valueOf = (): unknown => {
    if (!operation.body) return undefined;
    if (bytes.length === 0) {
      if (operation.bodyOptional) return {};
      throw badRequest('This operation needs a JSON body.');
    }
    const checked = body(readJson(request.headers['content-type'], bytes, operation.jsonLimits));
    if (checked.error) throw checked.error;
    return checked.value;
  };
  return { bytes, read: () => (known ??= { value: valueOf() }).value };
}
