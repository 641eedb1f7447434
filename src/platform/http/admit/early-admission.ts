import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooLarge } from '../../api/errors.ts';
import { admit, admitCaller } from './admit.ts';
import { hasBody, isLargeBody } from '../receive/body-bytes.ts';
import { clientNetwork } from './client-network.ts';
import { requireKnownEncoding } from '../receive/decompress.ts';
import type { Kernel } from '../kernel.ts';
import { admitVisitor, visitorTokenOf } from './admit-visitor.ts';
import type { Endpoint } from '../endpoint.ts';

/**
 * Runs before the body is read. A small body is buffered for a valid token, which is usually cached, so that the
 * transaction remains the only round trip: it checks access before the body is parsed. A large body is read only for a
 * caller with access to the target.
 */
export const admitEarly =
  (kernel: Kernel, endpoint: Endpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers } = request;
    const token = visitorTokenOf(request);
    if (token !== undefined) {
      await admitVisitor(kernel, endpoint, request, reply, token);
      if (isLargeBody(headers)) throw tooLarge('The body of a visitor may have 32 kB.');
    } else if (isLargeBody(headers)) {
      const { caller } = await admit(kernel, endpoint, request, reply, kernel.connection.db, undefined);
      request.holdBytes = kernel.heldBodies.of(caller?.id ?? clientNetwork(request.ip), reply);
      requireKnownEncoding(headers['content-encoding']);
    } else if (hasBody(headers)) await admitCaller(kernel, endpoint, request, reply);
  };
