import type { FastifyRequest } from 'fastify';
import { badRequest } from '../api/errors.ts';
import { readJson, readJsonInSteps } from './parse-json.ts';
import type { Endpoint } from './endpoint.ts';

const NO_BYTES = Buffer.alloc(0);

/** The body of a request. It is parsed when it is read, so that errors in it come after those of access. */
export interface RequestBody {
  readonly bytes: Buffer;
  read(): unknown;
  /** Parses a large body in advance, with pauses for other requests. */
  readInSteps(): Promise<void>;
}

export function requestBody(endpoint: Endpoint, request: FastifyRequest): RequestBody {
  const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
  const type = request.headers['content-type'];
  let known: { readonly value: unknown } | undefined;
  return {
    bytes,
    read: () =>
      (known ??= {
        value: valueOf(endpoint, bytes, () => readJson(type, bytes, endpoint.operation.jsonLimits)),
      }).value,
    async readInSteps() {
      const json =
        endpoint.operation.body && bytes.length > 0
          ? await readJsonInSteps(type, bytes, endpoint.operation.jsonLimits)
          : undefined;
      known = { value: valueOf(endpoint, bytes, () => json) };
    },
  };
}

function valueOf({ operation, body }: Endpoint, bytes: Buffer, json: () => unknown): unknown {
  if (!operation.body) return undefined;
  if (bytes.length === 0) {
    if (operation.bodyOptional) return {};
    throw badRequest('This operation needs a JSON body.');
  }
  const checked = body(json());
  if (checked.error) throw checked.error;
  return checked.value;
}
