import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit, admitCaller } from './admit.ts';
import { requireKnownEncoding } from './decompress.ts';
import type { Kernel } from './kernel.ts';
import type { Endpoint } from './endpoint.ts';

/** A body of this size may be buffered for a valid token alone. */
const SMALL_BODY = 32 * 1024;

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Known to be small before it is read: a length is declared, and nothing will be decompressed. */
export const isSmallBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) <= SMALL_BODY;

/** The caller and the target of such a request are admitted before its body is read. */
export const isLargeBody = (headers: IncomingHttpHeaders): boolean =>
  hasBody(headers) && !isSmallBody(headers);

/**
 * Runs before the body is read. A small body is buffered for a valid token, which is usually cached, so that the
 * transaction remains the only round trip: it checks access before the body is parsed. A large body is read only for a
 * caller with access to the target.
 */
export const admitEarly =
  (kernel: Kernel, endpoint: Endpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers } = request;
    if (isLargeBody(headers)) {
      const { caller } = await admit(kernel, endpoint, request, reply, kernel.connection.db, undefined);
      request.holdBytes = kernel.heldBodies.of(caller?.id ?? request.ip, reply);
      requireKnownEncoding(headers['content-encoding']);
    } else if (hasBody(headers)) await admitCaller(kernel, endpoint, request, reply);
  };
