import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { siteSpaces } from './policy.ts';

export interface SearchableSpace {
  readonly site_space_id: string;
  readonly section_id: string | null;
  readonly space_id: string;
  readonly is_default: boolean;
  readonly title: string;
  readonly language: string | null;
}

/** The site spaces of a site that the caller may view, in their order. */
export const listSearchable = (
  db: Database,
  callerId: string,
  siteId: string,
): Promise<readonly SearchableSpace[]> =>
  visibleRows(db, siteSpaces, callerId)
    .select(['site_space_id', 'section_id', 'space_id', 'is_default'])
    .select([
      sql<string>`(select s.title from spaces s where s.id = row.space_id)`.as('title'),
      sql<string | null>`(select s.language from spaces s where s.id = row.space_id)`.as('language'),
    ])
    .where('site_id', '=', siteId)
    .orderBy('section_place')
    .orderBy('position')
    .execute();
