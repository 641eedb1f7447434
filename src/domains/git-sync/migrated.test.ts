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

test('a space that was synchronized keeps writing to the same directory', async () => {
  await withOlderDatabase('2026-11-21T0100-git-content-directory.sql', async (db) => {
    await sql
      .raw(`insert into organizations (id, title) values ('o', 'Acme');
        insert into spaces (id, organization_id, title, position, revision_id, store_id)
          values ('s', 'o', 'S', 'a', 'r', 'o'), ('t', 'o', 'T', 'b', 'q', 'o');
        insert into revisions (id, space_id, type, sequence) values ('r', 's', 'edits', 1), ('q', 't', 'edits', 1);
        insert into git_states (space_id, url, ref, directory, commit_id, revision_id, files, ordered_at, pending_files)
          values ('s', 'https://git.example/a', 'refs/heads/main', 'docs', 'c', 'r', '', now(), null),
            ('t', 'https://git.example/a', 'refs/heads/main', '', 'c', 'q', '', now(), '')`)
      .execute(db);
    await migrate(db, MIGRATIONS);
    const states = db
      .selectFrom('git_states')
      .select(['content_directory', 'pending_content_directory'])
      .orderBy('space_id');
    expect(await states.execute()).toEqual([
      { content_directory: 'docs', pending_content_directory: null },
      { content_directory: '', pending_content_directory: '' },
    ]);
  });
});
