import Type from 'typebox';
import { forbidden } from './errors.ts';
import type { Scope } from './scope.ts';

/** The row of a resource, as the caller may see it. */
export type Row = object;

/** The permission that an action needs of a caller who may view the row. */
export interface Need<R> {
  readonly isMet: (row: R, callerId: string) => boolean;
  /** Its name in the table of operations. */
  readonly label: string;
  /** The least role, where a role alone decides; named in the reference. */
  readonly role?: string;
}

/**
 * Something that has an id. Rows are read through `rows` only, which joins the caller to them: it omits rows that the
 * caller may not view, and adds the caller's role. Single reads, ids in bodies and lists use the same SQL, so they cannot
 * disagree.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- `Resource` without arguments is a resource of any kind of row
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
  /** Another column by which callers may identify a row, where the API allows it. */
  readonly alias?: string;
  readonly within?: Resource;
  /** The need of each action. The `permissions` flags of answers come from the same table. */
  readonly needs: Readonly<Record<A, Need<R>>>;
  /**
   * The tags of the `announce_change` triggers that invalidate a cacheable row. Undefined for a row that time
   * alone can change.
   */
  readonly cacheTags?: (row: R) => readonly string[] | undefined;
  /**
   * Selects the key and the columns of `rows` that are never cached (counts), for the ids in `$1`: refreshed for each
   * request that shows a cached row (`isCacheableByTarget`), many requests in one statement.
   */
  readonly live?: string;
  /** The scope that a scoped token needs for this row, in addition to that of the operation. */
  readonly scope?: (row: R, action: A) => Scope | undefined;
  /** The id is the permission: an invitation. */
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

/** Rejects with 403 unless the caller may. Used by rules that depend on the body. `what` completes "You may not …". */
export function requireMay<R extends Row, A extends string>(
  on: Resource<R, A>,
  action: A,
  row: R,
  callerId: string,
  what: string,
): void {
  if (!may(on, action, row, callerId)) throw forbidden(`You may not ${what}.`);
}

/** The need of an action without an operation: its flag is false. */
export const unserved = (): boolean => false;

/** The `permissions` object of an answer: each flag is the result of the access check of the operation. */
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

/** Marks a schema as the id of a resource. The kernel resolves and authorises every id that is marked. */
export const REFERENCE = Symbol('reference');

export interface Reference {
  readonly resource: Resource;
  readonly action: string;
  /** The id may belong to another tenant than the target (a transfer). */
  readonly crossTenant?: boolean;
  /** The scope that a scoped token needs to send it, in addition to that of the operation. */
  readonly scope?: Scope;
}

/** The schema of an id in params, query or body. `action` is the permission that the caller needs on it. */
export function idOf<R extends Row, A extends string>(
  of: Resource<R, A>,
  action: A,
  options: Pick<Reference, 'crossTenant' | 'scope'> = {},
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
