import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS, withOlderDatabase } from '../../../test/older-database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { listOutdatedSpaces, reindexSegment } from './index.ts';
import { searchSpace } from './search.ts';

const THIS = '2026-11-15T1400-search-form.sql';

/** One page: `Guide` with the text "the WorkflowManager". */
const OLDER_INDEX = `
  insert into organizations (id, title) values ('o', 'Acme');
  insert into spaces (id, organization_id, title, position, revision_id, store_id)
    values ('s', 'o', 'S', 'a', 'r', 'o');
  insert into revisions (id, space_id, type, sequence) values ('r', 's', 'edits', 1);
  insert into search_segments (space_id, first_page, next_page, pages, words)
    values ('s', 1, 2, 1, ' guide the workflowmanager ');
  insert into search_pages (space_id, page_id, number, title, description, path) values ('s', 'p', 1, 'Guide', '', 'guide');
  insert into search_sections (space_id, page, ordinal, anchor, title, body)
    values ('s', 1, 1, null, '', 'the WorkflowManager');
  insert into search_blocks (space_id, first_page, first_word, entries)
    values ('s', 1, 'guide', E'guide 1,5,0\\nthe 1,3,1056\\nworkflowmanager 1,3,1057\\n')`;

test('an index written before the migration is searchable and rewritten', async () => {
  await withOlderDatabase(THIS, async (db) => {
    await sql.raw(OLDER_INDEX).execute(db);
    await migrate(db, MIGRATIONS);
    const count = async (query: string) => {
      const { rows } = await searchSpace(db, 's', query, { limit: 10, after: undefined, cursor: () => '' });
      return rows.length;
    };
    expect([await count('guide'), await count('WorkflowManager'), await count('manager ')]).toEqual([
      1, 1, 0,
    ]);
    const sizes = await db.selectFrom('search_segments').select(['form', 'size']).execute();
    expect(sizes).toEqual([{ form: 1, size: 27 + 50 }]);
    expect(await listOutdatedSpaces(db, 10)).toEqual(['s']);
    const reindex = () => db.transaction().execute((trx) => reindexSegment(trx, 's', () => 'Label'));
    expect([await reindex(), await reindex()]).toEqual([true, false]);
    expect([await count('guide'), await count('manager '), await count('label')]).toEqual([1, 1, 1]);
  });
});
