import type { FastifyRequest } from 'fastify';
import { badRequest } from '../api/errors.ts';
import { readJson, readJsonInSteps } from './parse-json.ts';
import type { Endpoint } from './endpoint.ts';

const NO_BYTES = Buffer.alloc(0);

/** The body of a request. It is parsed when it is read, so that errors in it come after those of access. */
export interface RequestBody {
  /** In bytes. */
  readonly length: number;
  /** As it was sent. */
  bytes(): Buffer;
  read(): unknown;
  /**
   * Parses a large body in advance, with pauses for other requests. Its bytes are released, unless they are compared with
   * those of an earlier request.
   */
  readInSteps(): Promise<void>;
}

export function requestBody(endpoint: Endpoint, request: FastifyRequest): RequestBody {
  let bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
  const { length } = bytes;
  const { 'content-type': type, 'idempotency-key': key } = request.headers;
  let known: { readonly value: unknown } | undefined;
  return {
    length,
    bytes() {
      if (bytes.length < length) throw new Error('The bytes of this body were released.');
      return bytes;
    },
    read: () =>
      (known ??= {
        value: valueOf(endpoint, length, () => readJson(type, bytes, endpoint.operation.jsonLimits)),
      }).value,
    async readInSteps() {
      const json =
        endpoint.operation.body && length > 0
          ? await readJsonInSteps(type, bytes, endpoint.operation.jsonLimits)
          : undefined;
      if (key === undefined) {
        free(bytes);
        request.body = bytes = NO_BYTES;
      }
      known = { value: valueOf(endpoint, length, () => json) };
    },
  };
}

/**
 * The memory of a buffer is moved to a new object that nothing refers to. Being young, it is collected soon; the buffer may
 * be old, and old objects are collected after some 100 MB of new ones.
 */
function free({ buffer, byteLength }: Buffer): void {
  // Others share the memory of a small one.
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    structuredClone(buffer, { transfer: [buffer] });
}

function valueOf({ operation, body }: Endpoint, length: number, json: () => unknown): unknown {
  if (!operation.body) return undefined;
  if (length === 0) {
    if (operation.bodyOptional) return {};
    throw badRequest('This operation needs a JSON body.');
  }
  const checked = body(json());
  if (checked.error) throw checked.error;
  return checked.value;
}
