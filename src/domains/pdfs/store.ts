import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { specificationsState } from '../openapi-specs/index.ts';

/** The content of a PDF: a revision, or a page of it with or without the pages below. */
export interface PdfKey {
  readonly spaceId: string;
  readonly revisionId: string;
  readonly pageId: string;
  readonly withBelow: boolean;
}

/** The title and the language of the space, for the first page. */
export interface Heading {
  readonly title: string;
  readonly language: string | null;
}

export interface MadePdf {
  readonly hash: string;
  readonly size: number;
  /** The state of the specifications that it shows parts of; null: none. */
  readonly specifications: string | null;
}

/** Files without references are collected after a day: younger PDFs are still stored. */
const KEPT = sql`interval '20 hours'`;

export const findPdf = (db: Database, key: PdfKey) =>
  db
    .selectFrom('pdfs as p')
    .innerJoin('spaces as s', 's.id', 'p.space_id')
    .select(['p.hash', 'p.size'])
    .where('p.space_id', '=', key.spaceId)
    .where('p.revision_id', '=', key.revisionId)
    .where('p.page_id', '=', key.pageId)
    .where('p.with_below', '=', key.withBelow)
    .whereRef('p.title', '=', 's.title')
    .where(sql<boolean>`p.language is not distinct from s.language`)
    .where(
      sql<boolean>`(p.specifications is null or p.specifications = ${specificationsState(sql`s.organization_id`)})`,
    )
    .where('p.made_at', '>', sql<Date>`now() - ${KEPT}`)
    .executeTakeFirst();

export async function putPdf(
  db: Database,
  key: PdfKey,
  { title, language }: Heading,
  { hash, size, specifications }: MadePdf,
): Promise<void> {
  await db
    .insertInto('pdfs')
    .values({
      space_id: key.spaceId,
      revision_id: key.revisionId,
      page_id: key.pageId,
      with_below: key.withBelow,
      title,
      language,
      hash,
      size,
      specifications,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['space_id', 'revision_id', 'page_id', 'with_below'])
        .doUpdateSet({ title, language, hash, size, specifications, made_at: sql`now()` }),
    )
    .execute();
}

export async function deleteOldPdfs(db: Database): Promise<void> {
  await db
    .deleteFrom('pdfs')
    .where('made_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}

export const getHeading = (db: Database, spaceId: string): Promise<Heading> =>
  db.selectFrom('spaces').select(['title', 'language']).where('id', '=', spaceId).executeTakeFirstOrThrow();
