import type { Context } from './context.ts';
import type { PageRequest } from './pagination.ts';

/** The access of a visitor's token: a visitor is no user, and has no rows that `identify` could find. */
export interface Visit {
  readonly tenant: string;
  /** A part of the tenant. Its rate limit counts the requests of an address. */
  readonly owner: string;
}

export interface VisitorRequest<V extends Visit, P, Q, B> {
  readonly ctx: Context;
  readonly visit: V;
  /** Valid, but not authorised: a handler finds everything through the visit. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The requested page of a list. */
  readonly page: PageRequest;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Answers an operation with what the visitor may read, in the shape that the operation declares. */
export interface VisitorAnswer<V extends Visit> {
  readonly handle: (request: VisitorRequest<V, never, never, never>) => Promise<unknown>;
  readonly headers?: (visit: V, params: never) => Readonly<Record<string, string>>;
}

export interface VisitorAccess<V extends Visit = Visit> {
  /** Undefined: forged, expired, or what it opened is closed. */
  readonly open: (ctx: Context, token: string) => Promise<V | undefined>;
  /** The answers by id of operation. All other operations refuse every visitor. */
  readonly answers: Readonly<Record<string, VisitorAnswer<V>>>;
}

/** The type of the visit ends here: the kernel gives each answer what `open` returned. */
export const accessOf = <V extends Visit>(declaration: VisitorAccess<V>): VisitorAccess =>
  declaration as unknown as VisitorAccess;
