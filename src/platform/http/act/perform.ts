import type { FastifyRequest } from 'fastify';
import { authorise, type References, type Wanted } from '../../access/authorise.ts';
import type { Database } from '../../database/connection.ts';
import { insufficientStorage, preconditionFailed } from '../../api/errors.ts';
import { isRead, type AnyRequest, type NamedOperation } from '../../api/operation.ts';
import type { Turn } from '../../api/context.ts';
import { pageRequest, type PageRequest } from '../../api/pagination.ts';
import type { ListQuery } from '../../api/schema.ts';
import { unwrap } from '../../api/refusals.ts';
import { requireScope, within, type Admitted } from '../admit/admit.ts';
import { answerOf, type Answer } from '../answer/answer.ts';
import { matchesVersion } from '../../api/etag.ts';
import { contextOf, type Kernel } from '../kernel.ts';
import type { Endpoint } from '../endpoint.ts';
import { idsIn, scopesIn } from '../admit/marked-ids.ts';

const NO_REFERENCES: References = {
  of: (resource, id) => {
    throw new Error(`${resource.name} ${id} was not declared as an id of this request`);
  },
};

/** A request whose caller was admitted. */
export interface Call {
  readonly request: FastifyRequest;
  readonly db: Database;
  readonly admitted: Admitted;
  readonly body: unknown;
  /** The result of `prepare`. */
  readonly prepared?: unknown;
  readonly turn?: Turn;
}

/** Calls the handler and turns its result into an answer. */
export async function perform(kernel: Kernel, endpoint: Endpoint, call: Call): Promise<Answer> {
  const input = await inputOf(kernel, endpoint, call);
  const result = await handle(endpoint.operation, input);
  return answerOf(endpoint, result, call.admitted, kernel.context);
}

async function handle(operation: NamedOperation, input: AnyRequest): Promise<unknown> {
  if (operation.handle) return operation.handle(input);
  const [only] = await operation.handleAll([input]);
  if (!only) throw new Error(`${operation.id} did not answer its request`);
  return unwrap(only);
}

/** What a handler is given: every id of the request authorised, and its precondition met. */
export async function inputOf(kernel: Kernel, endpoint: Endpoint, call: Call): Promise<AnyRequest> {
  const { operation } = endpoint;
  const { request, db, admitted, body, prepared, turn } = call;
  const { caller, params, query, target } = admitted;
  const wanted = requireScopes(kernel, endpoint, call);
  const refs = wanted.length === 0 ? NO_REFERENCES : await authorise(db, caller?.id ?? '', wanted);
  requireMatch(endpoint, request, target);
  // Deleting remains possible: it frees space.
  if (!isRead(operation) && operation.method !== 'DELETE' && (await kernel.isDiskFull())) {
    throw insufficientStorage(
      new Error('Less than half of OCTAVO_DISK_RESERVE is free on the disk of OCTAVO_DATA.'),
    );
  }

  const ctx = contextOf(kernel, db, caller, admitted.now);
  const page = operation.query && pageOf(kernel, endpoint, admitted);
  // A getter: Fastify creates the signal when it is first read.
  return {
    ctx,
    params,
    query,
    body,
    target,
    refs,
    page,
    prepared,
    turn,
    get signal() {
      return request.signal;
    },
  };
}

/** The scopes of what the request contains: also a stored answer needs them. Returns the ids that remain to be authorised. */
export function requireScopes(
  kernel: Kernel,
  { operation }: Endpoint,
  { admitted, body }: Pick<Call, 'admitted' | 'body'>,
): readonly Wanted[] {
  const { caller, query, target } = admitted;
  const wanted = [...admitted.wanted, ...within(kernel, idsIn(operation.body, body, 'body'), target)];
  if (caller?.scopes) {
    const ofMembers = [...scopesIn(operation.query, query), ...scopesIn(operation.body, body)];
    for (const scope of [...ofMembers, ...wanted.flatMap((id) => id.scope ?? [])]) {
      requireScope(scope, caller.scopes);
    }
  }
  return wanted;
}

/** A cursor is bound to its list: operation, path, filters and caller. */
export function pageOf(
  kernel: Kernel,
  endpoint: Endpoint,
  { params, query, caller }: Pick<Admitted, 'params' | 'query' | 'caller'>,
): PageRequest | undefined {
  const { page, limit, ...filters } = query as ListQuery;
  const known = endpoint.operation.query?.properties ?? {};
  if (!('page' in known && 'limit' in known)) return undefined;
  return pageRequest(kernel.context.keys, [endpoint.operation.id, params, filters, caller?.id], {
    page,
    limit,
  });
}

function requireMatch(endpoint: Endpoint, request: FastifyRequest, target: unknown): void {
  const header = request.headers['if-match'];
  const { version, method } = endpoint.operation;
  if (header === undefined || method === 'GET' || (method === 'POST' && !version)) return;
  // If the target has no version, no tag matches: a precondition is never ignored.
  const matches = version ? matchesVersion(header, version(target)) : header.trim() === '*';
  if (!matches) {
    throw preconditionFailed(
      'The resource has changed since you read it (If-Match). Read it again and retry.',
    );
  }
}
