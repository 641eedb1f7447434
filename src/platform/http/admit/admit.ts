import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cache } from '../../access/cache.ts';
import type { Caller } from '../../api/context.ts';
import type { Database } from '../../database/connection.ts';
import { forbidden, notFound, unauthorized } from '../../api/errors.ts';
import { may, type Row } from '../../api/resource.ts';
import type { Scope } from '../../api/scope.ts';
import type { Wanted } from '../../access/authorise.ts';
import type { Locate } from '../../access/identify.ts';
import type { Kernel } from '../kernel.ts';
import type { Endpoint } from '../endpoint.ts';
import { limit, limitAddress } from './rate-limit.ts';
import { idsIn, type FoundId } from './marked-ids.ts';

export interface Admitted {
  readonly caller: Caller | undefined;
  readonly now: Date | undefined;
  readonly params: Record<string, string>;
  readonly query: unknown;
  readonly target: Row | undefined;
  /** Ids of the path that do not enclose the target, and those of the query. */
  readonly wanted: readonly Wanted[];
}

/**
 * Identifies the caller, loads the target and checks the permission. Throws the first of these that applies: 429
 * (by caller, or by IP address without a valid token), 401, 400 (path or query), 404, 403.
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
  request.tenantId ??= tenantOf(kernel, target);
  if (caller && operation.access.kind !== 'anyone')
    requireScope(operation.scope, caller.scopes, operation.finerScopes);
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
    wanted: wantedIds(kernel, endpoint, ids, query.value, target),
  };
}

const tenantOf = ({ tenantColumn }: Kernel, target: Row | undefined): string | undefined =>
  (target as Readonly<Record<string, string>> | undefined)?.[tenantColumn];

/** `granted` null: a token without scopes. */
export function requireScope(
  scope: Scope | null,
  granted: readonly string[] | null,
  finer: readonly string[] = [],
): void {
  if (!granted || (scope && granted.includes(scope)) || finer.some((each) => granted.includes(each))) return;
  throw forbidden(
    scope
      ? `This token lacks the scope ${scope}.`
      : 'Scoped tokens are not accepted here. Use a token without scopes.',
  );
}

/** Checks the token in the cache, if that can be used. If not, the transaction checks it. */
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
    request.callerId = identified.caller.id;
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

/** Clients repeat the header with every request of a connection: the last one, and the hash of its token. */
const lastHeaders = new WeakMap<object, { readonly header: string; readonly hashed: string | undefined }>();

function hashOfToken({
  headers: { authorization: header = '' },
  socket,
}: FastifyRequest): string | undefined {
  const last = lastHeaders.get(socket);
  if (last?.header === header) return last.hashed;
  const token = /^Bearer +(\S{1,512})$/i.exec(header)?.[1];
  const hashed = token === undefined ? undefined : hash('sha256', token, 'hex');
  lastHeaders.set(socket, { header, hashed });
  return hashed;
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

/** `/orgs/{a}/teams/{b}` is 404 unless b is in a: every id of the path that the row has as a column must be equal. */
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
      // An enclosing resource may be named by its alias (a change request by its number).
      (id.resource.alias !== undefined && columns[id.resource.alias] === params[id.param]),
  );
}

function wantedIds(
  kernel: Kernel,
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
  return within(kernel, [...beside, ...idsIn(endpoint.operation.query, query, 'query')], target);
}

/** Ids are looked up where the target is: inside the resource that encloses it, and in its tenant. */
export function within(
  { tenantColumn: column }: Kernel,
  found: readonly FoundId[],
  target: Row | undefined,
): Wanted[] {
  const columns = (target ?? {}) as Record<string, unknown>;
  const tenant = columns[column] === undefined ? undefined : { column, id: columns[column] };
  return found.map((id) => ({
    ...id,
    withinId: id.resource.within && (columns[id.resource.within.key] as string | undefined),
    tenant: id.crossTenant ? undefined : tenant,
  }));
}
