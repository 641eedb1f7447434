import type { TestApp } from './app.ts';

/** The number of connections of the server that wait for a lock. */
export async function countLockWaits({ sql }: Pick<TestApp, 'sql'>): Promise<number> {
  // Within a transaction, PostgreSQL repeats its first answer otherwise.
  await sql('select pg_stat_clear_snapshot()');
  const [row] = await sql(`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and application_name = 'octavo' and wait_event_type = 'Lock'`);
  return Number(row?.['waiting']);
}
