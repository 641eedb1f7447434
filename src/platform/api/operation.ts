import type { Static, TObject, TSchema } from 'typebox';
import type { Context } from './context.ts';
import type { References } from '../access/authorise.ts';
import type { Database } from '../database/connection.ts';
import type { PageRequest } from './pagination.ts';
import type { Authorised, Resource } from './resource.ts';
import type { Scope } from '../scopes.ts';

/**
 * Who may call an operation, and on what. There is no default: an operation without `access` does not compile.
 * `target` loads the row the path points at, or answers 404; then checks `action`, or answers 403.
 */
export type Access<R> =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'target'; readonly resource: Resource; readonly action: string; readonly row?: R };

export const anyone: Access<undefined> = { kind: 'anyone' };
export const signedIn: Access<undefined> = { kind: 'signed-in' };

/** `on(teams)('admin')`: the caller must be allowed to do this to the team in the path. */
export const on =
  <R extends Authorised, A extends string>(resource: Resource<R, A>) =>
  (action: A): Access<R> => ({ kind: 'target', resource: resource as unknown as Resource, action });

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How much the JSON of a body may hold. An operation that takes more declares it, and how to send less. */
export interface JsonLimits {
  readonly values: number;
  /** Of one object. */
  readonly members: number;
  readonly advice: string;
}

export interface Request<P, Q, B, R> {
  readonly ctx: Context;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly target: R;
  /** Which part of a list is asked for, where the query has `page` and `limit`. */
  readonly page: PageRequest;
  /** The rows behind every other id of the request, already authorised. */
  readonly refs: References;
  /** What `prepare` answered. */
  readonly prepared: unknown;
  /** Aborted when the client hangs up. For work that takes long and nobody else waits for. */
  readonly signal: AbortSignal;
}

export type PrepareRequest<P, Q, B, R> = Pick<
  Request<P, Q, B, R>,
  'ctx' | 'params' | 'query' | 'body' | 'target'
>;

/** At least one. */
export type Several<T> = readonly [T, ...T[]];

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

export interface Operation<
  P extends TObject | undefined = TObject | undefined,
  Q extends TObject | undefined = TObject | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  O extends TSchema | undefined = TSchema | undefined,
  R = unknown,
> {
  readonly method: Method;
  readonly path: string;
  /** The last parameter of the path is all that is left of it, slashes included. */
  readonly takesRest?: boolean;
  readonly summary: string;
  readonly description?: string;
  /** The scope a limited token needs; null where only a token with its user's full rights will do. */
  readonly scope: Scope | null;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Most bodies must be there; the contract lets a few be left out. */
  readonly bodyOptional?: boolean;
  /** In bytes. */
  readonly bodyLimit?: number;
  readonly jsonLimits?: JsonLimits;
  readonly status: 200 | 201 | 204 | 205;
  readonly response?: O;
  readonly access: Access<R>;
  /** The version of the target's writable fields: the part of the ETag that `If-Match` compares. */
  readonly version?: (target: R) => string | number;
  /** The answer follows from the target and the address alone: where the row is kept, so is the answer. */
  readonly isOfTarget?: boolean;
  /**
   * The ETag of an answer that follows from the target and the query alone, and never changes: whoever has it already is
   * told so before anything else is read.
   */
  readonly etag?: (target: R, query: StaticOf<Q>) => string;
  /** Requests with the same key wait for each other in the process, instead of each with a connection in the database. */
  readonly queue?: (params: StaticOf<P>) => string;
  /**
   * What takes long or leaves the database (storing bytes, asking other servers), done for a caller who may, before the
   * transaction begins. Its result is `prepared`; undefined where `needsPreparing` says that there is nothing to do.
   */
  readonly needsPreparing?: (body: StaticOf<B>) => boolean;
  /**
   * The same question about the bytes of a small body, asked before the caller is admitted: true where it cannot be told.
   * It saves the round trip of an admission before the transaction.
   */
  readonly mayNeedPreparing?: (bytes: Buffer) => boolean;
  prepare?(request: PrepareRequest<StaticOf<P>, StaticOf<Q>, StaticOf<B>, R>): Promise<unknown>;
  /** The path where what was created can be read. Default: `urls.location` of the answer. */
  readonly location?: (answer: StaticOf<O>, request: { readonly params: StaticOf<P> }) => string;
  handle?(request: Request<StaticOf<P>, StaticOf<Q>, StaticOf<B>, R>): Promise<StaticOf<O> | Encoded | void>;
  /**
   * Instead of `handle`: does what several requests ask that waited for each other (`queue`), in their order and in one
   * transaction, which is that of each `ctx`. One that is refused (`settle`) leaves nothing behind, and the rest is done.
   */
  handleAll?(
    db: Database,
    requests: Several<Request<StaticOf<P>, StaticOf<Q>, StaticOf<B>, R>>,
  ): Promise<readonly PromiseSettledResult<StaticOf<O>>[]>;
}

/** An answer that is bytes already: made once, kept, and sent as often as it is asked for. */
export class Encoded {
  readonly body: Buffer;
  readonly etag: string;

  constructor(body: Buffer, etag: string) {
    this.body = body;
    this.etag = etag;
  }
}

/** An endpoint is one value. This is the identity with types; its exported name becomes the operation's id. */
export function operation<
  R,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  O extends TSchema | undefined = undefined,
>(declaration: Operation<P, Q, B, O, R>): Operation {
  return declaration as unknown as Operation;
}

export interface NamedOperation extends Operation {
  readonly id: string;
  readonly folder: string;
}
