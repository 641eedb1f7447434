import type { FastifyReply, FastifyRequest } from 'fastify';

/** Paths of the API. They are open to other origins: a header or a secret URL authorises them, never a cookie. */
export const isApiPath = (url: string): boolean => /^\/(v1|~uploads)(\/|\?|$)/.test(url);

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
  if (!isApiPath(request.url)) return;
  void reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED });
}

/** A CORS preflight, which browsers send without a token. */
export const isPreflight = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isApiPath(url);

export const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply.code(204).headers(PREFLIGHT).send();
