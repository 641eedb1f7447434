import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';

/**
 * Bytes on disk of the database of a server, indexes included, except the search index. Vacuums first, so that space
 * that updates freed is reused, as it would be sooner or later.
 */
export async function storedBytes(data: string): Promise<number> {
  const client = new Client({
    host: path.join(data, 'run'),
    port: 5432,
    user: 'octavo',
    password: readFileSync(path.join(data, 'pg-password'), 'utf8').trim(),
    database: 'octavo',
    ssl: false,
  });
  await client.connect();
  try {
    await client.query('vacuum');
    const { rows } = await client.query<{ bytes: string }>(`
      select sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and c.relname not like 'search\\_%'
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}
