import { expect, test } from 'vitest';
import { startApp } from './app.ts';

/**
 * Deleting a row searches the rows that refer to it. Users are deleted by the operator only, and the structure of a site
 * is limited; tables with one row need no index.
 */
const WITHOUT_INDEX = `c.confrelid = 'users'::regclass or c.conrelid::regclass::text ~ '^(installation$|site_|uploads$)'`;

test('deletions find the rows that refer to a row by an index', async () => {
  const app = await startApp();
  const missing = await app.sql(`
    select c.conrelid::regclass || ': ' || pg_get_constraintdef(c.oid) as key
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not (${WITHOUT_INDEX}) and not exists (
      select from pg_index i, lateral (
        select array_agg(a.attname::text order by k.place) as columns
        from unnest(i.indkey::int2[]) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where k.place <= cardinality(c.conkey)) prefix, lateral (
        select array_agg(a.attname::text) as columns from pg_attribute a
        where a.attrelid = c.conrelid and a.attnum = any(c.conkey)) wanted
      where i.indrelid = c.conrelid
        -- The id of an organization alone selects too many rows; any other column alone suffices if it is an id.
        and (prefix.columns @> wanted.columns or prefix.columns[1] = any(array_remove(wanted.columns, 'organization_id'))
          and (i.indisunique and i.indnkeyatts = 1 or wanted.columns @> '{organization_id}'))
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = any(
          array(select '(' || name || ' IS NOT NULL)' from unnest(wanted.columns) name))))`);
  expect(missing.map(({ key }) => key)).toEqual([]);
});
