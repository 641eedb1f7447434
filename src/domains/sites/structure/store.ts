import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import { visibleRows } from '../../../platform/database/visible-rows.ts';
import { fetchPage, type PageRequest } from '../../../platform/api/pagination.ts';
import {
  siteSectionGroups,
  siteSections,
  siteSpaces,
  type SiteSectionGroupRow,
  type SiteSectionRow,
  type SiteSpaceRow,
} from '../policy.ts';

/** The structure of a site that the caller may view, in its order. */

const sectionsOf = (db: Database, callerId: string, siteId: string) =>
  visibleRows(db, siteSections, callerId).selectAll().where('site_id', '=', siteId);

const groupsOf = (db: Database, callerId: string, siteId: string) =>
  visibleRows(db, siteSectionGroups, callerId).selectAll().where('site_id', '=', siteId);

const siteSpacesOf = (db: Database, callerId: string, siteId: string) =>
  visibleRows(db, siteSpaces, callerId).selectAll().where('site_id', '=', siteId);

export const listSections = (db: Database, callerId: string, siteId: string): Promise<SiteSectionRow[]> =>
  sectionsOf(db, callerId, siteId).orderBy('place').execute();

export const listGroups = (db: Database, callerId: string, siteId: string): Promise<SiteSectionGroupRow[]> =>
  groupsOf(db, callerId, siteId).orderBy('place').execute();

/** Those of the given sections, or of the whole site. */
export function listSiteSpaces(
  db: Database,
  callerId: string,
  siteId: string,
  sectionIds?: readonly string[],
): Promise<SiteSpaceRow[]> {
  let rows = siteSpacesOf(db, callerId, siteId);
  if (sectionIds) rows = rows.where('section_id', '=', sql<string>`any(${[...sectionIds]})`);
  return rows.orderBy('section_place').orderBy('position').execute();
}

export const getSection = (db: Database, callerId: string, siteId: string, id: string) =>
  sectionsOf(db, callerId, siteId).where('site_section_id', '=', id).executeTakeFirstOrThrow();

export const getSiteSpace = (db: Database, callerId: string, siteId: string, id: string) =>
  siteSpacesOf(db, callerId, siteId).where('site_space_id', '=', id).executeTakeFirstOrThrow();

export const pageOfSections = (db: Database, callerId: string, siteId: string, page: PageRequest) =>
  fetchPage(sectionsOf(db, callerId, siteId), page, {
    by: ['place', 'site_section_id'],
    direction: 'asc',
    key: (row: SiteSectionRow) => [row.place, row.site_section_id],
  });

export const pageOfGroups = (db: Database, callerId: string, siteId: string, page: PageRequest) =>
  fetchPage(groupsOf(db, callerId, siteId), page, {
    by: ['place', 'site_section_group_id'],
    direction: 'asc',
    key: (row: SiteSectionGroupRow) => [row.place, row.site_section_group_id],
  });

export function pageOfSiteSpaces(
  db: Database,
  callerId: string,
  siteId: string,
  isDefault: boolean | undefined,
  page: PageRequest,
) {
  let rows = siteSpacesOf(db, callerId, siteId);
  if (isDefault !== undefined) rows = rows.where('is_default', '=', isDefault);
  return fetchPage(rows, page, {
    by: ['section_place', 'position', 'site_space_id'],
    direction: 'asc',
    key: (row: SiteSpaceRow) => [row.section_place, row.position, row.site_space_id],
  });
}
