import { sql } from 'kysely';
import type { Row, Resource } from '../api/resource.ts';
import type { Database } from './connection.ts';

/** The rows of a resource that the caller may view, as a table `row` to filter, order and page. */
export function visibleRows<R extends Row, A extends string>(
  db: Database,
  of: Resource<R, A>,
  callerId: string,
) {
  const rows = sql<R>`(select target.* from (select ${callerId}::text as id) caller, lateral (${sql.raw(of.rows)}) target)`;
  return db.selectFrom(rows.as('row'));
}

/** A pattern for `ilike` that finds `text` anywhere; its own wildcards are escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
