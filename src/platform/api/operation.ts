import type { Static, TObject, TSchema } from 'typebox';
import type { Context, Turn } from './context.ts';
import type { References } from '../access/authorise.ts';
import type { PageRequest } from './pagination.ts';
import type { Row, Resource } from './resource.ts';
import type { Scope } from './scope.ts';

/**
 * Who may call an operation, and on what. There is no default: an operation without `access` does not compile.
 * `target` loads the row of the path (or 404) and checks `action` on it (or 403).
 */
export type Access<R> =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'signed-in' }
  | { readonly kind: 'target'; readonly resource: Resource; readonly action: string; readonly row?: R };

export const anyone: Access<undefined> = { kind: 'anyone' };
export const signedIn: Access<undefined> = { kind: 'signed-in' };

/** `on(teams)('admin')`: the caller needs this permission on the team in the path. */
export const on =
  <R extends Row, A extends string>(resource: Resource<R, A>) =>
  (action: A): Access<R> => ({ kind: 'target', resource: resource as unknown as Resource, action });

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Limits of a JSON body. An operation that takes more declares its own, and advice for larger bodies. */
export interface JsonLimits {
  readonly values: number;
  /** Per object. */
  readonly members: number;
  readonly advice: string;
}

/** The input of a handler, valid and authorised. */
export interface Request<P, Q, B, R, T> {
  readonly ctx: Context;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly target: R;
  /** The part of a list that is asked for, where the query has `page` and `limit`. */
  readonly page: PageOf<Q>;
  /** The rows behind every other id of the request, already authorised. */
  readonly refs: References;
  /** The result of `prepare`; undefined where there was nothing to prepare. */
  readonly prepared: T | undefined;
  /** Aborted when the client disconnects. For long work whose result no other request uses. */
  readonly signal: AbortSignal;
  /**
   * Waits for the turn of a tenant that only the handler finds. Reads only: a write would hold its connection while it
   * waits.
   */
  readonly turn: Turn | undefined;
}

/** Whether an operation is performed without a transaction. */
export const isRead = ({ method, isReadOnly }: Pick<Facts<unknown>, 'method' | 'isReadOnly'>): boolean =>
  method === 'GET' || isReadOnly === true;

export type PrepareRequest<P, Q, B, R> = Pick<
  Request<P, Q, B, R, undefined>,
  'ctx' | 'params' | 'query' | 'body' | 'target' | 'signal'
>;

type PageOf<Q> = unknown extends Q
  ? PageRequest | undefined
  : 'limit' extends keyof Q
    ? PageRequest
    : undefined;

export type Several<T> = readonly [T, ...T[]];

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

interface Facts<R> {
  readonly method: Method;
  readonly path: string;
  /** The last parameter of the path is the rest of it, slashes included. */
  readonly takesRest?: boolean;
  readonly summary: string;
  readonly description?: string;
  /** The scope that a scoped token needs; null: scoped tokens are refused. */
  readonly scope: Scope | null;
  /** Most bodies are required; the contract makes a few optional. */
  readonly bodyOptional?: boolean;
  /** The limit of the body in bytes. */
  readonly bodyLimit?: number;
  readonly jsonLimits?: JsonLimits;
  readonly status: 200 | 201 | 202 | 204 | 205;
  readonly access: Access<R>;
  /** The answer is a function of the target and the URL: while the row is cached, so is the answer. */
  readonly isCacheableByTarget?: boolean;
  /** A POST that changes nothing: performed as a GET is, so that it holds no connection. `Idempotency-Key` has no effect. */
  readonly isReadOnly?: boolean;
  /** Imports, exports, PDFs: the heavy process performs it, however small it is. */
  readonly isHeavy?: boolean;
  /** A read that may compute for long: few of one tenant and of one caller run at the same time. */
  readonly takesTurn?: boolean;
  /**
   * Whether to call `prepare`, judged by the bytes of the body: true where they alone cannot tell. It saves the round trip
   * of an admission before the transaction.
   */
  readonly mayNeedPreparing?: (bytes: Buffer) => boolean;
}

interface Schemas<
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends TSchema | undefined,
  O extends TSchema | undefined,
> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response?: O;
}

/** The functions of an operation, over the static types of its schemas, its target and what it prepares. */
interface Functions<P, Q, B, O, R, T> {
  /** The version of the target's writable fields: the part of the ETag that `If-Match` compares. */
  readonly version?: (target: R) => string | number;
  /**
   * The ETag of an immutable answer that is a function of the target and the query: a matching `If-None-Match` is
   * answered before anything else is read.
   */
  readonly etag?: (target: R, query: Q) => string;
  /** The path where a created object can be read. Default: `urls.location` of the answer. */
  readonly location?: (answer: O, request: { readonly params: P }) => string;
  /**
   * Work that takes long or leaves the database (storing bytes, calling other servers), done for an authorised caller
   * before the transaction begins, unless `mayNeedPreparing` is false. Declared before the handler: its result is the
   * type of `prepared` there.
   */
  readonly prepare?: (request: PrepareRequest<P, Q, B, R>) => Promise<T>;
}

/** Handles one request at a time. With `queue`, requests with the same key wait in the process, without a connection. */
interface Single<P, Q, B, O, R, T> {
  readonly queue?: (params: P) => string;
  readonly handle: (request: Request<P, Q, B, R, T>) => Promise<O | Encoded | void>;
  readonly handleAll?: undefined;
}

/**
 * Handles several requests that waited under the same key, in their order and in one transaction: all have the same
 * `ctx.db`. A request that is refused (`captureRefusal`) must leave no change; the others are done.
 */
interface Batched<P, Q, B, O, R, T> {
  readonly queue: (params: P) => string;
  readonly handle?: undefined;
  readonly handleAll: (
    requests: Several<Request<P, Q, B, R, T>>,
  ) => Promise<readonly PromiseSettledResult<O>[]>;
}

/** Exactly one way to handle requests: both or neither does not compile. */
export type Handling<P, Q, B, O, R, T> = Single<P, Q, B, O, R, T> | Batched<P, Q, B, O, R, T>;

type Declaration<
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends TSchema | undefined,
  O extends TSchema | undefined,
  R,
  T,
> = Facts<R> &
  Schemas<P, Q, B, O> &
  Functions<StaticOf<P>, StaticOf<Q>, StaticOf<B>, StaticOf<O>, R, T> &
  Handling<StaticOf<P>, StaticOf<Q>, StaticOf<B>, StaticOf<O>, R, T>;

/** An operation as the kernel sees it: its functions take `unknown`. */
export type Operation = Facts<unknown> &
  Schemas<TObject | undefined, TObject | undefined, TSchema | undefined, TSchema | undefined> &
  Functions<unknown, unknown, unknown, unknown, unknown, unknown> &
  Handling<unknown, unknown, unknown, unknown, unknown, unknown>;

export type AnyRequest = Request<unknown, unknown, unknown, unknown, unknown>;

/** A serialised answer, which can be cached. */
export class Encoded {
  readonly body: Buffer;
  readonly etag: string;

  constructor(body: Buffer, etag: string) {
    this.body = body;
    this.etag = etag;
  }
}

/**
 * An endpoint is one value; its exported name becomes the operation's id. The types of a declaration end here, and only
 * here: the kernel calls its functions with values that it checked against the schemas and the access of the same
 * declaration, so they are what the functions expect.
 */
export function operation<
  R,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  O extends TSchema | undefined = undefined,
  T = undefined,
>(declaration: Declaration<P, Q, B, O, R, T>): Operation {
  return declaration as unknown as Operation;
}

export type NamedOperation = Operation & {
  readonly id: string;
  readonly folder: string;
  /** Finer scopes, any of which suffices instead of its own. */
  readonly finerScopes?: readonly string[];
};
