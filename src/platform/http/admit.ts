import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cache } from '../access/cache.ts';
import type { Caller } from '../api/context.ts';
import type { Database } from '../database/connection.ts';
import { forbidden, notFound, tooManyRequests, unauthorized } from '../api/errors.ts';
import { may, type Row } from '../api/resource.ts';
import type { Scope } from '../api/scope.ts';
import { TENANT, type Wanted } from '../access/authorise.ts';
import type { Locate } from '../access/identify.ts';
import type { Kernel } from './kernel.ts';
import type { Endpoint } from './endpoint.ts';
import { idsIn, type FoundId } from './references.ts';

export interface Admitted {
  readonly caller: Caller | undefined;
  readonly now: Date | undefined;
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly target: Row | undefined;
  /** Ids of the path that are not around the target but beside it, and those of the query. */
  readonly wanted: readonly Wanted[];
}

/**
 * From a request to a caller who may do this to the target, or the first of these that applies:
 * 401, 400 (path or query), 404, 403.
 */
export async function admit(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Database,
  cache: Cache | undefined,
): Promise<Admitted> {
  const { operation } = endpoint;
  const params = endpoint.params(request.params);
  const query = endpoint.query(request.query);
  const locate =
    'value' in params ? locateTarget(endpoint, params.value as Record<string, string>) : undefined;

  const identified = await identify(kernel, endpoint, request, reply, db, cache, locate);
  const caller = identified?.caller;
  if (params.error) throw params.error;
  if (query.error) throw query.error;

  const ids = params.value as Record<string, string>;
  const target = identified?.row;
  if (locate && (!target || !isInside(endpoint, ids, target, locate))) throw notFound(locate.resource.name);
  if (caller && operation.access.kind !== 'anyone') requireScope(operation.scope, caller.scopes);
  if (operation.access.kind === 'target' && target && caller) {
    const { resource, action } = operation.access;
    if (!may(resource, action, target, caller.id)) {
      throw forbidden(
        `Your role on this ${resource.name.toLowerCase()} does not allow: ${operation.summary}.`,
      );
    }
    const scope = resource.scope?.(target, action);
    if (scope) requireScope(scope, caller.scopes);
  }
  return {
    caller,
    now: identified?.now,
    params: ids,
    query: query.value,
    target,
    wanted: wantedIds(endpoint, ids, query.value, target),
  };
}

/** `granted` null: a token with all the rights of its user. */
export function requireScope(scope: Scope | null, granted: readonly string[] | null): void {
  if (!granted || (scope && granted.includes(scope))) return;
  throw forbidden(
    scope
      ? `This token lacks the scope ${scope}.`
      : 'Scoped tokens are not accepted here. Use a token without scopes.',
  );
}

/** Whether the token is valid, by the cache where that can be used. Where it cannot, the transaction asks soon enough. */
export async function admitCaller(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (hashOfToken(request) !== undefined && kernel.cache.begin() === undefined) return;
  await identify(kernel, endpoint, request, reply, kernel.connection.db, kernel.cache, undefined);
}

async function identify(
  kernel: Kernel,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Database,
  cache: Cache | undefined,
  locate: Locate | undefined,
) {
  const tokenHash = hashOfToken(request);
  const identified = tokenHash && (await kernel.identify(db, cache, tokenHash, locate));
  if (identified) {
    kernel.used(identified.caller);
    limit(kernel, reply, `user ${identified.caller.id}`, kernel.rateLimit);
    return identified;
  }
  limitAddress(kernel, request, reply);
  if (endpoint.operation.access.kind === 'anyone' && !tokenHash) return undefined;
  throw unauthorized(
    tokenHash
      ? 'The token is invalid, expired or deleted.'
      : 'Send a token: `Authorization: Bearer <token>`. `octavo token create` creates one.',
  );
}

/** A client says the same with every request of a connection: what it said last, and the hash of it. */
const lastSaid = new WeakMap<object, { readonly header: string; readonly hashed: string | undefined }>();

function hashOfToken({
  headers: { authorization: header = '' },
  socket,
}: FastifyRequest): string | undefined {
  const last = lastSaid.get(socket);
  if (last?.header === header) return last.hashed;
  const token = /^Bearer +(\S{1,512})$/i.exec(header)?.[1];
  const hashed = token === undefined ? undefined : hash('sha256', token, 'hex');
  lastSaid.set(socket, { header, hashed });
  return hashed;
}

/** The rate limit of callers without a valid token, by IP address. */
export const limitAddress = (kernel: Kernel, request: FastifyRequest, reply: FastifyReply): void =>
  limit(kernel, reply, `address ${request.ip}`, Math.ceil(kernel.rateLimit / 10));

/** Counted once per request, however often its transaction is tried. */
export function limit(kernel: Kernel, reply: FastifyReply, who: string, perMinute: number): void {
  if (kernel.rateLimit === 0 || reply.hasHeader('x-ratelimit-limit')) return;
  const taken = kernel.limiter.take(who, perMinute);
  void reply.headers({
    'x-ratelimit-limit': taken.limit,
    'x-ratelimit-remaining': taken.remaining,
    'x-ratelimit-reset': taken.reset,
  });
  if (taken.exceeded) throw tooManyRequests(Math.max(1, taken.reset - Math.floor(Date.now() / 1000)));
}

function locateTarget({ target, operation }: Endpoint, params: Record<string, string>): Locate | undefined {
  if (!target) return undefined;
  const { resource, own, within } = target;
  return {
    resource,
    id: own && params[own],
    withinId: within && params[within],
    isShown: operation.isCacheableByTarget === true,
  };
}

/** `/orgs/{a}/teams/{b}` is nothing unless b is in a: every other id that the row knows must be the one in the path. */
function isInside(
  endpoint: Endpoint,
  params: Record<string, string>,
  row: Row,
  { resource }: Locate,
): boolean {
  const columns = row as unknown as Record<string, unknown>;
  return endpoint.pathIds.every(
    (id) =>
      id.resource === resource ||
      !(id.resource.key in columns) ||
      columns[id.resource.key] === params[id.param] ||
      // Callers may name what is around it by its alias (a change request by its number).
      (id.resource.alias !== undefined && columns[id.resource.alias] === params[id.param]),
  );
}

function wantedIds(
  endpoint: Endpoint,
  params: Record<string, string>,
  query: unknown,
  target: Row | undefined,
): Wanted[] {
  const columns = (target ?? {}) as Record<string, unknown>;
  const { access } = endpoint.operation;
  const beside = endpoint.pathIds
    .filter(
      (id) => !(access.kind === 'target' && (id.resource === access.resource || id.resource.key in columns)),
    )
    .map((id) => ({ ...id, id: params[id.param] ?? '', path: `path.${id.param}` }));
  return within([...beside, ...idsIn(endpoint.operation.query, query, 'query')], target);
}

/** Ids are looked up where the target is: inside what encloses it, and in its organization. */
export function within(found: readonly FoundId[], target: Row | undefined): Wanted[] {
  const columns = (target ?? {}) as Record<string, unknown>;
  return found.map((id) => ({
    ...id,
    withinId: id.resource.within && (columns[id.resource.within.key] as string | undefined),
    tenantId: id.elsewhere ? undefined : (columns[TENANT] as string | undefined),
  }));
}
