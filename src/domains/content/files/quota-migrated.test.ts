import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, withOlderDatabase } from '../../../../test/older-database.ts';
import { migrate } from '../../../platform/database/migrate.ts';

const THIS = '2026-11-15T1800-storage-of-comments.sql';

test('the migration counts existing text of comments and change requests', async () => {
  await withOlderDatabase(THIS, async (db) => {
    await sql
      .raw(`
        insert into organizations (id, title) values ('o', 'Acme');
        insert into spaces (id, organization_id, title, position, revision_id, store_id)
          values ('s', 'o', 'S', 'a', 'r', 'o'), ('t', 'o', 'T', 'b', 'q', 'other');
        insert into revisions (id, space_id, type, sequence) values ('r', 's', 'edits', 1), ('q', 't', 'edits', 1);
        insert into change_requests
            (id, space_id, number, description, revision_id, initial_revision_id, ancestor_revision_id)
          values ('c', 's', 1, '"1234"', 'r', 'r', 'r'), ('d', 's', 2, null, 'r', 'r', 'r');
        insert into comments (id, space_id, parent_id, markdown, revision_id) values
          ('a', 's', null, 'äb', 'r'), ('b', 's', 'a', 'abc', 'r'), ('e', 't', null, 'abcde', 'q')`)
      .execute(db);
    await migrate(db, MIGRATIONS);
    const tallies = async () =>
      (
        await sql<{ store_id: string; bytes: number }>`
          select store_id, sum(bytes)::int as bytes from storage_tallies group by 1 order by 1`.execute(db)
      ).rows;
    expect(await tallies()).toEqual([
      { store_id: 'o', bytes: 12 },
      { store_id: 'other', bytes: 5 },
    ]);
    await sql`delete from spaces`.execute(db);
    expect(await tallies()).toEqual([
      { store_id: 'o', bytes: 0 },
      { store_id: 'other', bytes: 0 },
    ]);
  });
});
