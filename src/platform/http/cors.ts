import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where programs of other origins may call us: what is authorised by a header or an address, never by a cookie. */
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

/** Lets scripts of every origin read the answer, whatever it is: an error too. */
export function allowEveryOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (!OPEN_PATHS.test(request.url)) return;
  void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED });
}

/** A browser's question whether it may send a request; asked without a token. */
export const isPreflight = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && OPEN_PATHS.test(url);

export const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply.code(204).headers(PREFLIGHT).send();
