import type { FastifyReply, FastifyRequest } from 'fastify';

/** Paths open to other origins: they are authorised by a header or a secret URL, never by a cookie. */
const OPEN_PATHS = /^\/(v1|~uploads)(\/|\?|$)/;

const EXPOSED = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  // The wildcard does not cover `Authorization`.
  'access-control-allow-headers': '*, Authorization',
  'access-control-max-age': '7200',
};

/** Lets scripts of every origin read the answer, errors included. */
export function allowEveryOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (!OPEN_PATHS.test(request.url)) return;
  void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED });
}

/** A CORS preflight, which browsers send without a token. */
export const isPreflight = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && OPEN_PATHS.test(url);

export const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply.code(204).headers(PREFLIGHT).send();
