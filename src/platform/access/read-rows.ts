import { sql } from 'kysely';
import type { Context } from '../api/context.ts';
import type { Resource, Row } from '../api/resource.ts';
import { visibleRows } from '../database/visible-rows.ts';
import { rowKey } from './identify.ts';

/**
 * Those of these rows that the caller may view, by id, from the cache where possible: a list selects ids and counts, and
 * takes the rest from here. Columns that are never cached (`live`) may be old.
 */
export async function readRows<R extends Row, A extends string>(
  { db, caller, rowCache }: Pick<Context, 'db' | 'caller' | 'rowCache'>,
  resource: Resource<R, A>,
  ids: readonly string[],
): Promise<Map<string, R>> {
  const begun = rowCache?.begin();
  const keyOf = (id: string) => rowKey(caller.id, { resource, id });
  const found = new Map<string, R>();
  const missing: string[] = [];
  for (const id of ids) {
    const row = begun === undefined ? undefined : rowCache?.get(keyOf(id));
    if (row) found.set(id, row as R);
    else missing.push(id);
  }
  if (missing.length === 0) return found;

  const rows = await visibleRows(db, resource, caller.id)
    .selectAll()
    .where(sql.ref(resource.key), '=', sql`any(${missing})`)
    .execute();
  for (const row of rows as R[]) {
    const id = (row as Record<string, unknown>)[resource.key] as string;
    found.set(id, row);
    const tags = resource.cacheTags?.(row);
    if (tags && begun !== undefined) rowCache?.put(keyOf(id), begun, [`user:${caller.id}`, ...tags], row);
  }
  return found;
}
