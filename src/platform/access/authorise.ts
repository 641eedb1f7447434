import { CompiledQuery } from 'kysely';
import type { Database } from '../database/connection.ts';
import { forbidden, notFound } from '../api/errors.ts';
import { numberOf } from './identify.ts';
import { may, type Row, type Reference, type Resource } from '../api/resource.ts';

export interface Wanted extends Reference {
  readonly id: string;
  readonly withinId: string | undefined;
  /** The tenant it must belong to. Undefined where it may belong to any. */
  readonly tenant: { readonly column: string; readonly id: unknown } | undefined;
  /** The place of the id in the request, for the message. */
  readonly path: string;
}

export interface References {
  of<R extends Row, A extends string>(resource: Resource<R, A>, id: string): R;
}

type Columns = Record<string, unknown>;

/** The rows behind ids in the query or the body. 404 for one that does not exist or that the caller may not view. */
export async function authorise(
  db: Database,
  callerId: string,
  wanted: readonly Wanted[],
): Promise<References> {
  const rows = new Map<string, Row>();
  // An alias (an e-mail address) is matched case-insensitively, an id exactly.
  const rowOf = (resource: Resource, id: string) =>
    rows.get(`${numberOf(resource)} ${id}`) ??
    (resource.alias ? rows.get(`${numberOf(resource)} ${id.toLowerCase()}`) : undefined);
  for (const { resource, withinId, wants } of grouped(wanted)) {
    const text = `with caller as (select $1::text as id) select target.* from caller, lateral (${parametrised(resource)}) target`;
    const ids = [...new Set(wants.map((want) => want.id))];
    const values = resource.within ? [callerId, ids, withinId] : [callerId, ids];
    const result = await db.executeQuery<Columns>(CompiledQuery.raw(text, values));
    for (const row of result.rows) {
      for (const column of [resource.key, resource.alias]) {
        // Not every row has an alias.
        if (column && row[column] !== null)
          rows.set(`${numberOf(resource)} ${String(row[column])}`, row as unknown as Row);
      }
    }
    for (const want of wants) check(want, rowOf(resource, want.id), callerId);
  }
  return {
    of<R extends Row, A extends string>(resource: Resource<R, A>, id: string): R {
      const row = rowOf(resource, id);
      if (!row) throw new Error(`${resource.name} ${id} was not declared as an id of this request`);
      return row as R;
    },
  };
}

function check(want: Wanted, row: Row | undefined, callerId: string): void {
  if (!row || isOfAnotherTenant(row, want.tenant))
    throw notFound(`${want.resource.name} "${want.id}" (${want.path})`);
  if (!may(want.resource, want.action, row, callerId)) {
    throw forbidden(
      `Your role on ${want.resource.name.toLowerCase()} "${want.id}" (${want.path}) does not allow this.`,
    );
  }
}

/** Rows without a tenant (users) belong to every one. */
function isOfAnotherTenant(row: Row, tenant: Wanted['tenant']): boolean {
  const id = tenant && (row as Columns)[tenant.column];
  return id !== undefined && id !== tenant?.id;
}

/** One statement per kind of resource (and enclosing resource), however many ids there are. */
function grouped(wanted: readonly Wanted[]) {
  const groups: { resource: Resource; withinId: string | undefined; wants: Wanted[] }[] = [];
  for (const want of wanted) {
    const group = groups.find(
      ({ resource, withinId }) => resource === want.resource && withinId === want.withinId,
    );
    if (group) group.wants.push(want);
    else groups.push({ resource: want.resource, withinId: want.withinId, wants: [want] });
  }
  return groups;
}

const parametrised = ({ rows, match }: Resource) =>
  `${rows} and ${match.replaceAll(':ids', '$2').replaceAll(':within', '$3')}`;
