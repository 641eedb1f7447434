import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

/** What a document shows: a revision, all of it or a page with or without those below it. */
export interface PdfKey {
  readonly spaceId: string;
  readonly revisionId: string;
  readonly pageId: string;
  readonly withBelow: boolean;
}

/** Bytes that nobody holds are collected after a day: what is younger is there. */
const KEPT = sql`interval '20 hours'`;

export const findPdf = (db: Database, key: PdfKey) =>
  db
    .selectFrom('pdfs')
    .select(['hash', 'size'])
    .where('space_id', '=', key.spaceId)
    .where('revision_id', '=', key.revisionId)
    .where('page_id', '=', key.pageId)
    .where('with_below', '=', key.withBelow)
    .where('made_at', '>', sql<Date>`now() - ${KEPT}`)
    .executeTakeFirst();

export async function putPdf(db: Database, key: PdfKey, hash: string, size: number): Promise<void> {
  await db
    .insertInto('pdfs')
    .values({
      space_id: key.spaceId,
      revision_id: key.revisionId,
      page_id: key.pageId,
      with_below: key.withBelow,
      hash,
      size,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['space_id', 'revision_id', 'page_id', 'with_below'])
        .doUpdateSet({ hash, size, made_at: sql`now()` }),
    )
    .execute();
}

export async function deleteOldPdfs(db: Database): Promise<void> {
  await db
    .deleteFrom('pdfs')
    .where('made_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

export const getTitle = async (
  db: Database,
  spaceId: string,
): Promise<{ title: string; language: string | null }> =>
  db.selectFrom('spaces').select(['title', 'language']).where('id', '=', spaceId).executeTakeFirstOrThrow();
