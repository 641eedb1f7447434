import type { FastifyRequest } from 'fastify';
import { requireSendable, requireSendableBody } from '../api/answer-size.ts';
import { authorise, type References } from '../access/authorise.ts';
import type { Addresses } from '../api/context.ts';
import type { Database } from '../database/connection.ts';
import { insufficientStorage, preconditionFailed } from '../api/errors.ts';
import { Encoded } from '../api/operation.ts';
import { pageRequest, type PageRequest } from '../api/pagination.ts';
import type { ListQuery } from '../api/schema.ts';
import { valueOf } from '../api/refusals.ts';
import type { FinishedWork } from '../api/unfinished-work.ts';
import { requireScope, within, type Admitted } from './admit.ts';
import { etagOf, matchesVersion } from '../api/etag.ts';
import { contextOf, type Kernel } from './kernel.ts';
import type { Plan } from './endpoint.ts';
import { idsIn, scopesIn } from './references.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const NO_REFERENCES: References = {
  of: (resource, id) => {
    throw new Error(`${resource.name} ${id} was not declared as an id of this request`);
  },
};

/** A request whose caller was let in. */
export interface Call {
  readonly request: FastifyRequest;
  readonly db: Database;
  readonly admitted: Admitted;
  readonly body: unknown;
  /** What `prepare` answered. */
  readonly prepared?: unknown;
  readonly finishedWork?: FinishedWork | undefined;
}

/** Calls the handler, and makes an answer of what it returns. */
export async function perform(kernel: Kernel, plan: Plan, call: Call): Promise<Answer> {
  const { operation } = plan;
  const input = await inputOf(kernel, plan, call);
  const [only] = (await operation.handleAll?.(call.db, [input])) ?? [];
  const result = only ? valueOf(only) : await operation.handle?.(input);
  return answerOf(plan, result, call.admitted, kernel.context.addresses);
}

/** What a handler is given: every id of the request authorised, and its precondition met. */
export async function inputOf(kernel: Kernel, plan: Plan, call: Call): Promise<never> {
  const { operation } = plan;
  const { request, db, admitted, body, prepared, finishedWork } = call;
  const { caller, params, query, target } = admitted;
  const wanted = [...admitted.wanted, ...within(idsIn(operation.body, body, 'body'), target)];
  if (caller?.scopes) {
    const ofMembers = [...scopesIn(operation.query, query), ...scopesIn(operation.body, body)];
    for (const scope of [...ofMembers, ...wanted.flatMap((id) => id.scope ?? [])]) {
      requireScope(scope, caller.scopes);
    }
  }
  const refs = wanted.length === 0 ? NO_REFERENCES : await authorise(db, caller?.id ?? '', wanted);
  requireMatch(plan, request, target);
  // Deleting goes on: it is how space is freed.
  if (operation.method !== 'GET' && operation.method !== 'DELETE' && (await kernel.isDiskFull())) {
    throw insufficientStorage(
      new Error('Less than half of OCTAVO_DISK_RESERVE is free on the disk of OCTAVO_DATA.'),
    );
  }

  const ctx = contextOf(kernel, db, caller, admitted.now, finishedWork);
  const page = operation.query && pageOf(kernel, plan, admitted);
  // A getter, because Fastify makes the signal when it is first read.
  const input = {
    ctx,
    params,
    query,
    body,
    target,
    refs,
    page,
    prepared,
    get signal() {
      return request.signal;
    },
  };
  return input as never;
}

/** A cursor continues the list it came from: this operation, path, filters and caller. */
function pageOf(kernel: Kernel, plan: Plan, { params, query, caller }: Admitted): PageRequest | undefined {
  const { page, limit, ...filters } = query as ListQuery;
  const known = plan.operation.query?.properties ?? {};
  if (!('page' in known && 'limit' in known)) return undefined;
  return pageRequest(kernel.context.keys, [plan.operation.id, params, filters, caller?.id], { page, limit });
}

function requireMatch(plan: Plan, request: FastifyRequest, target: unknown): void {
  const header = request.headers['if-match'];
  const { version, method } = plan.operation;
  if (header === undefined || method === 'GET' || (method === 'POST' && !version)) return;
  // Where nothing has a version, no tag can be its own: a precondition is never ignored.
  const matches = version ? matchesVersion(header, version(target)) : header.trim() === '*';
  if (!matches) {
    throw preconditionFailed(
      'The resource has changed since you read it (If-Match). Read it again and retry.',
    );
  }
}

export const PRIVATE = 'private, no-cache';
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': PRIVATE,
  'x-content-type-options': 'nosniff',
};

export function answerOf(
  plan: Plan,
  result: unknown,
  { params, target }: Admitted,
  addresses: Addresses,
): Answer {
  const { operation } = plan;
  if (!operation.response)
    return { status: operation.status, headers: { 'cache-control': 'no-store' }, body: '' };
  const headers: Record<string, string> = { ...JSON_HEADERS };
  if (result instanceof Encoded) {
    requireSendableBody(result.body);
    headers['etag'] = result.etag;
    return { status: operation.status, headers, body: result.body };
  }
  requireSendable(result);
  const body = plan.serialise(result);
  requireSendableBody(body);
  if (operation.method === 'GET' && operation.version)
    headers['etag'] = etagOf(operation.version(target), body);
  if (operation.status === 201) {
    const path = operation.location?.(result as never, { params: params as never });
    const location = path === undefined ? locationOf(result) : addresses.of(path);
    if (location) headers['location'] = location;
  }
  return { status: operation.status, headers, body };
}

const locationOf = (result: unknown) => (result as { urls?: { location?: string } }).urls?.location;
