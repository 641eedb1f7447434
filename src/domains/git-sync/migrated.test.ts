import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, withOlderDatabase } from '../../../test/older-database.ts';
import { migrate } from '../../platform/database/migrate.ts';

const THIS = '2026-11-20T0200-disconnect-transferred.sql';

/** As in databases whose earlier migration had the trigger. */
const EXISTING = `
  create function disconnect_transferred() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger disconnect_transferred after update of organization_id on spaces for each row
    execute function disconnect_transferred()`;

test.each([
  ['without the trigger', ''],
  ['with it', EXISTING],
])('a transferred space is disconnected in a database %s', async (_name, before) => {
  await withOlderDatabase(THIS, async (db) => {
    await sql
      .raw(`${before};
        insert into organizations (id, title) values ('o', 'Acme'), ('p', 'Other');
        insert into spaces (id, organization_id, title, position, revision_id, store_id)
          values ('s', 'o', 'S', 'a', 'r', 'o');
        insert into revisions (id, space_id, type, sequence) values ('r', 's', 'edits', 1);
        insert into git_connections (space_id, url, ref, directory, direction, pull_requests, nonce)
          values ('s', 'https://git.example/a', 'refs/heads/main', '', 'both', false, 'n')`)
      .execute(db);
    await migrate(db, MIGRATIONS);
    await sql`update spaces set organization_id = 'p' where id = 's'`.execute(db);
    expect(await db.selectFrom('git_connections').select('space_id').execute()).toEqual([]);
  });
});
