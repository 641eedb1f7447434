import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, withOlderDatabase } from '../../../test/older-database.ts';
import { migrate } from '../../platform/database/migrate.ts';

const THIS = '2026-11-15T1100-comment-counts.sql';

test('the migration counts existing comments', async () => {
  await withOlderDatabase(THIS, async (db) => {
    await sql
      .raw(`
        insert into organizations (id, title) values ('o', 'Acme');
        insert into spaces (id, organization_id, title, position, revision_id, store_id)
          values ('s', 'o', 'S', 'a', 'r', 'o');
        insert into revisions (id, space_id, type, sequence) values ('r', 's', 'edits', 1);
        insert into change_requests (id, space_id, number, revision_id, initial_revision_id, ancestor_revision_id)
          select 'cr' || n, 's', n, 'r', 'r', 'r' from generate_series(1, 3) n;
        insert into comments (id, space_id, change_request_id, parent_id, resolved_at, markdown, revision_id, node) values
          ('a', 's', 'cr1', null, null, '', 'r', null), ('b', 's', 'cr1', null, now(), '', 'r', null),
          ('c', 's', 'cr1', 'a', null, '', 'r', null), ('d', 's', 'cr1', 'a', null, '', 'r', null),
          ('e', 's', 'cr2', null, now(), '', 'r', null), ('f', 's', null, null, null, '', 'r', '{}'),
          ('g', 's', null, 'f', null, '', 'r', null), ('h', 's', null, null, now(), '', 'r', null);
        insert into events (organization_id, space_id, type, data) values
          ('o', 's', 'space_content_updated', '{}'), ('o', 's', 'comment_posted', '{"commentId": "f"}')`)
      .execute(db);
    expect(await migrate(db, MIGRATIONS)).toContain(path.basename(THIS, '.sql'));
    const counts = await db.selectFrom('comment_counts').selectAll().orderBy('change_request_id').execute();
    expect(counts).toEqual([
      { change_request_id: 'cr1', open: 1, resolved: 1 },
      { change_request_id: 'cr2', open: 0, resolved: 1 },
    ]);
    const tallies = await db.selectFrom('space_tallies').select(['space_id', 'comments_resolved']).execute();
    expect(tallies).toEqual([{ space_id: 's', comments_resolved: 1 }]);
    const replies = await db.selectFrom('reply_counts').selectAll().orderBy('comment_id').execute();
    expect(replies).toEqual([
      { comment_id: 'a', replies: 2 },
      { comment_id: 'f', replies: 1 },
    ]);
    const { id } = await db
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'comment_posted')
      .executeTakeFirstOrThrow();
    const followed = await db.selectFrom('comments').select('id').where('followed_to', '=', id).execute();
    expect(followed).toEqual([{ id: 'f' }]);
  });
});
