import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../../api/errors.ts';
import type { Visit, VisitorAnswer } from '../../api/visitor-access.ts';
import type { Endpoint } from '../endpoint.ts';
import { contextOf, type Kernel } from '../kernel.ts';
import { clientNetwork } from './client-network.ts';
import { limit, limitAddress } from './rate-limit.ts';

/** Longer than any token that is issued: claims of a visitor have limits of their own. */
const TOKEN = /^Bearer +(eyJ[\w-]{1,512}\.[\w-]{1,14000}\.[\w-]{1,512})$/i;

/** A JWT. Tokens of users have no dots, so that neither kind is ever taken for the other. */
export const visitorTokenOf = ({ headers: { authorization = '' } }: FastifyRequest): string | undefined =>
  TOKEN.exec(authorization)?.[1];

/**
 * Whether the holder of the token may call the operation at all. It is the only way of a visitor to an operation:
 * `identify` knows no JWT.
 */
export async function admitVisitor(
  kernel: Kernel,
  { operation }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<{ readonly visit: Visit; readonly answer: VisitorAnswer<Visit> }> {
  const ctx = contextOf(kernel, kernel.connection.db, undefined, undefined);
  const visit = await kernel.visitors.open(ctx, token);
  if (!visit) {
    limitAddress(kernel, request, reply);
    throw unauthorized('The token is invalid or expired, or what it opened is closed.');
  }
  limit(kernel, reply, `visit ${visit.owner} ${clientNetwork(request.ip)}`, kernel.rateLimit);
  const answer = Object.hasOwn(kernel.visitors.answers, operation.id)
    ? kernel.visitors.answers[operation.id]
    : undefined;
  if (!answer) throw forbidden(`The token of a visitor does not allow: ${operation.summary}.`);
  return { visit, answer };
}
