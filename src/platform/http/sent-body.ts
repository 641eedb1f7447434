import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';
import { readJson } from './body.ts';
import type { Plan } from './plan.ts';

const NO_BYTES = Buffer.alloc(0);

/** The body of a request. What is wrong with it is said when it is read: after all that comes before it. */
export interface SentBody {
  readonly bytes: Buffer;
  read(): unknown;
}

export function sentBody(plan: Plan, request: FastifyRequest): SentBody {
  const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
  let known: { readonly value: unknown } | undefined;
  return { bytes, read: () => (known ??= { value: readBody(plan, request, bytes) }).value };
}

function readBody(plan: Plan, request: FastifyRequest, bytes: Buffer): unknown {
  const { operation } = plan;
  if (!operation.body) return undefined;
  if (bytes.length === 0) {
    if (operation.bodyOptional) return {};
    throw badRequest('This operation needs a JSON body.');
  }
  const checked = plan.body(readJson(request.headers['content-type'], bytes));
  if (checked.error) throw checked.error;
  return checked.value;
}
