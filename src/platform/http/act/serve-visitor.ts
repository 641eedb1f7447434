import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageRequest } from '../../api/pagination.ts';
import { answerOf, type Answer } from '../answer/answer.ts';
import { admitVisitor } from '../admit/admit-visitor.ts';
import type { Endpoint } from '../endpoint.ts';
import { contextOf, type Kernel } from '../kernel.ts';
import { pageOf } from './perform.ts';
import { requestBody } from '../receive/request-body.ts';

/** Serves the requests of visitors. They only read, so that none needs a transaction. */
export async function serveVisitor(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<Answer> {
  const { visit, answer } = await admitVisitor(kernel, endpoint, request, reply, token);
  const params = endpoint.params(request.params);
  const query = endpoint.query(request.query);
  if (params.error) throw params.error;
  if (query.error) throw query.error;
  const asked = { params: params.value as never, query: query.value as never };
  const body = requestBody(endpoint, request).read() as never;
  const turn = kernel.turns.begin(request);
  try {
    await turn.take(visit.tenant, visit.owner);
    const result = await answer.handle({
      ctx: contextOf(kernel, kernel.connection.db, undefined, undefined),
      visit,
      ...asked,
      body,
      page: (endpoint.operation.query &&
        pageOf(kernel, endpoint, { ...asked, caller: undefined })) as PageRequest,
      signal: request.signal,
    });
    const made = answerOf(withoutVersion(endpoint), result, { ...asked, target: undefined }, kernel.context);
    return { ...made, headers: { ...made.headers, ...answer.headers?.(visit, asked.params) } };
  } finally {
    turn.end();
  }
}

/** The version is that of the row that a user would see. */
function withoutVersion(endpoint: Endpoint): Endpoint {
  const { version: _, ...operation } = endpoint.operation;
  return { ...endpoint, operation: operation as Endpoint['operation'] };
}
