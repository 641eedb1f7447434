import Type from 'typebox';
import { forbidden } from './errors.ts';
import type { Scope } from './scope.ts';

/** The row of a resource, as the caller may see it. */
export type Row = object;

/** What an action needs of a caller who may view the row. */
export interface Need<R> {
  readonly isMet: (row: R, callerId: string) => boolean;
  /** In the table of operations. */
  readonly label: string;
  /** The least role, where a role alone decides; named in the reference. */
  readonly role?: string;
}

/**
 * Something an id can point at. Rows are reached through `rows` only, which joins the caller to them: a row that the
 * caller may not view is not there, and every row comes with the caller's role on it. Single reads, ids in bodies and
 * lists all use the same text, so they cannot disagree.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- `Resource` alone means one of any kind of row
export interface Resource<R extends Row = any, A extends string = any> {
  readonly name: string;
  /** The column that holds this resource's id, in its own rows and in the rows of everything inside it. */
  readonly key: string;
  /**
   * A select, up to and including its `where`, of all rows that the caller (`caller.id`) may view, with `role` and
   * the keys of the resources around them.
   */
  readonly rows: string;
  /** The condition that finds `:ids`; `:within` is the id of `within`, for ids that are unique only there. */
  readonly match: string;
  /** Another column that callers may name a row by, where the API says so. */
  readonly alias?: string;
  readonly within?: Resource;
  /** What each action needs. The `permissions` flags of answers come from the same table. */
  readonly needs: Readonly<Record<A, Need<R>>>;
  /**
   * Where a process may keep rows: the tags of `announce_change` triggers that drop them. Undefined for a row that time
   * alone can change.
   */
  readonly cacheTags?: (row: R) => readonly string[] | undefined;
  /**
   * Selects the key and those columns of `rows` that are never kept (counts), for the ids in `$1`: read anew for each
   * request that is served from the cache and shows the row (`isCacheableByTarget`), many requests in one statement.
   */
  readonly live?: string;
  /** The scope that a limited token needs for this row beyond the operation's own. */
  readonly scope?: (row: R, action: A) => Scope | undefined;
  /** Knowing the id is the permission: an invitation. */
  readonly isOpen?: boolean;
}

export function may<R extends Row, A extends string>(
  on: Resource<R, A>,
  action: A,
  row: R,
  callerId: string,
): boolean {
  return on.needs[action].isMet(row, callerId);
}

/** For what depends on the body: 403 unless the caller may. `what` completes "You may not …". */
export function requireMay<R extends Row, A extends string>(
  on: Resource<R, A>,
  action: A,
  row: R,
  callerId: string,
  what: string,
): void {
  if (!may(on, action, row, callerId)) throw forbidden(`You may not ${what}.`);
}

/** For an action that no operation serves yet: its flag promises nothing. */
export const unserved = (): boolean => false;

/** The `permissions` object of an answer: each flag says what the guard of the operation would say. */
export function flags<R extends Row, A extends string, F extends A>(
  on: Resource<R, A>,
  names: readonly F[],
  row: R,
  callerId: string,
): Record<F, boolean> {
  const given = {} as Record<F, boolean>;
  for (const name of names) given[name] = may(on, name, row, callerId);
  return given;
}

/** Marks a schema as the id of a resource. The kernel resolves and authorises every id so marked, wherever it is. */
export const REFERENCE = Symbol('reference');

export interface Reference {
  readonly resource: Resource;
  readonly action: string;
  /** The id may belong to another organization than the target (a transfer). */
  readonly elsewhere?: boolean;
  /** The scope that a limited token needs to name it here, beyond the operation's own. */
  readonly scope?: Scope;
}

/** The schema of an id: in params, query or body. `action` is what the caller must be allowed to do there. */
export function idOf<R extends Row, A extends string>(
  of: Resource<R, A>,
  action: A,
  options: Pick<Reference, 'elsewhere' | 'scope'> = {},
) {
  const reference: Reference = { resource: of, action, ...options };
  return Type.String({
    minLength: 1,
    maxLength: of.alias ? 254 : 64,
    pattern: of.alias ? '^[^\\s\\u0000-\\u001f]+$' : '^[A-Za-z0-9_-]+$',
    description: `${of.name} id`,
    [REFERENCE]: reference,
  });
}
