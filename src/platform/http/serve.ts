import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../context.ts';
import type { References } from '../authorise.ts';
import { isRetryable, type Database } from '../database/connection.ts';
import { badRequest, preconditionFailed } from '../errors.ts';
import type { Request } from '../operation.ts';
import { pageRequest, type PageRequest } from '../pagination.ts';
import type { ListQuery } from '../schema.ts';
import { admit, within, type Admitted } from './admit.ts';
import { readJson } from './body.ts';
import { etagOf, matchesEtag, matchesVersion } from './conditional.ts';
import { isStoredMeanwhile, once, requireUsableKey, type Answer } from './idempotency.ts';
import { contextOf, type Kernel } from './kernel.ts';
import type { Plan } from './plan.ts';
import { idsIn } from './references.ts';

const MAX_TRIES = 5;
const NO_BYTES = Buffer.alloc(0);
const NO_REFERENCES: References = {
  of: (resource, id) => {
    throw new Error(`${resource.name} ${id} was not declared as an id of this request`);
  },
};

/** Serves one request of an operation: a read, or one transaction. */
export async function serve(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = await (plan.operation.method === 'GET' ? read : write)(kernel, plan, request, reply);
  // Nothing is sent as nothing: an empty text would be `text/plain`, and a cache would take a 304 at its word.
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .send(answer.body === '' ? undefined : answer.body);
}

async function read(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const { db } = kernel.connection;
  const admitted = await admit(kernel, plan, request, reply, db, kernel.cache);
  const answer =
    keptAnswer(plan, admitted) ??
    keep(plan, admitted, await perform(kernel, plan, request, db, admitted, undefined));
  const etag = answer.headers['etag'];
  if (etag && matchesEtag(request.headers['if-none-match'], etag)) {
    return { status: 304, headers: { etag, 'cache-control': PRIVATE }, body: '' };
  }
  return answer;
}

/** Answers by the row they were made of. A row that is kept is the same object every time; it goes, and they go. */
const keptAnswers = new WeakMap<object, Map<Plan, Answer>>();

const keptAnswer = (plan: Plan, { target }: Admitted): Answer | undefined =>
  plan.operation.isOfTarget && target ? keptAnswers.get(target)?.get(plan) : undefined;

function keep(plan: Plan, { target }: Admitted, answer: Answer): Answer {
  if (plan.operation.isOfTarget && target) {
    const answers = keptAnswers.get(target) ?? new Map<Plan, Answer>();
    keptAnswers.set(target, answers.set(plan, answer));
  }
  return answer;
}

/** Decides on the database alone, inside the transaction that acts. */
async function write(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : NO_BYTES;
  for (let tries = 1; ; tries++) {
    const transaction = kernel.connection.db.transaction();
    // With a precondition, whoever changes the target meanwhile makes this fail and try again: compare-and-set.
    const isolated = request.headers['if-match']
      ? transaction.setIsolationLevel('repeatable read')
      : transaction;
    try {
      return await isolated.execute(async (db) => {
        const admitted = await admit(kernel, plan, request, reply, db, undefined);
        const body = readBody(plan, request, bytes);
        const act = () => perform(kernel, plan, request, db, admitted, body);
        const key = plan.operation.method === 'POST' ? request.headers['idempotency-key'] : undefined;
        if (typeof key !== 'string' || !admitted.caller) return act();
        requireUsableKey(key);
        const target = `${request.method} ${request.url.split('?')[0]}`;
        return once(db, kernel.context.keys, { callerId: admitted.caller.id, key, target, bytes }, act);
      });
    } catch (error) {
      if (tries === MAX_TRIES || !(isRetryable(error) || isStoredMeanwhile(error))) throw error;
    }
  }
}

function readBody(plan: Plan, request: FastifyRequest, bytes: Buffer): unknown {
  const { operation } = plan;
  if (!operation.body) return undefined;
  if (bytes.length === 0) {
    if (operation.bodyOptional) return {};
    throw badRequest('This operation needs a JSON body.');
  }
  const checked = plan.body(readJson(request.headers['content-type'], bytes));
  if (checked.error) throw checked.error;
  return checked.value;
}

async function perform(
  kernel: Kernel,
  plan: Plan,
  request: FastifyRequest,
  db: Database,
  admitted: Admitted,
  body: unknown,
): Promise<Answer> {
  const { operation } = plan;
  const { caller, params, query, target } = admitted;
  const wanted = [...admitted.wanted, ...within(idsIn(operation.body, body, 'body'), target)];
  const refs =
    wanted.length === 0 ? NO_REFERENCES : await kernel.authority.resolve(db, caller?.id ?? '', wanted);
  requireMatch(plan, request, target);

  const ctx = contextOf(kernel, db, caller, kernel.log);
  const page = operation.query && pageOf(kernel, plan, admitted);
  const input = { ctx, params, query, body, target, refs, page } as unknown as Request<
    never,
    never,
    never,
    unknown
  >;
  const result = await operation.handle(input);
  return answerOf(plan, result, admitted, kernel.context.addresses);
}

/** A cursor continues the list it came from: this operation, path, filters and caller. */
function pageOf(kernel: Kernel, plan: Plan, { params, query, caller }: Admitted): PageRequest | undefined {
  const { page, limit, ...filters } = query as ListQuery;
  if (!('page' in (plan.operation.query?.properties ?? {}))) return undefined;
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
      'It was changed since you read it (If-Match). Read it again, and repeat the change on that.',
    );
  }
}

const PRIVATE = 'private, no-cache';

function answerOf(plan: Plan, result: unknown, { params, target }: Admitted, addresses: Addresses): Answer {
  const { operation } = plan;
  if (!operation.response)
    return { status: operation.status, headers: { 'cache-control': 'no-store' }, body: '' };
  const body = plan.serialise(result);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': PRIVATE,
  };
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
