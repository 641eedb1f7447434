import { sql } from 'kysely';
import { specificationsState } from '../../domains/openapi-specs/index.ts';
import type { SiteVisibility } from '../../domains/sites/index.ts';
import { SEGMENTS } from '../../domains/spaces/index.ts';
import type { Database } from '../../platform/database/connection.ts';

export interface SiteColumns {
  readonly id: string;
  readonly organization_id: string;
  readonly title: string;
  readonly visibility: SiteVisibility;
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy_origin: string | null;
  readonly published_at: Date | null;
  readonly adaptive_content: boolean;
  readonly config_version: number;
  readonly type: string;
  readonly agents_context: 'excluded' | 'included';
  readonly created_at: Date;
  readonly groups: readonly GroupColumns[];
  readonly sections: readonly SectionColumns[];
  readonly site_spaces: readonly SiteSpaceColumns[];
  /** Changes with every version of a specification of the organization, and with their names. */
  readonly specifications: string;
  /** The keys of active share links. */
  readonly key_hashes: readonly string[];
}

export interface GroupColumns {
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly icon: string | null;
  readonly place: string;
}

export interface SectionColumns {
  readonly id: string;
  readonly groupId: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly path: string;
  readonly icon: string | null;
  readonly condition: string | null;
  readonly isDefault: boolean;
  readonly place: string;
}

export interface SiteSpaceColumns {
  readonly id: string;
  readonly sectionId: string | null;
  readonly path: string;
  /** The segments of its address. */
  readonly segments: readonly string[];
  readonly condition: string | null;
  readonly isDefault: boolean;
  readonly spaceId: string;
  readonly storeId: string;
  readonly title: string;
  readonly emoji: string;
  readonly icon: string | null;
  readonly language: string | null;
  readonly revisionId: string;
  /** Hexadecimal; null: it is empty. */
  readonly root: string | null;
  readonly createdAt: string;
  readonly revisedAt: string;
  /** The repository that the space is synchronized with. */
  readonly git: { readonly url?: string; readonly directory?: string } | null;
}

/** A site with everything that decides what a visitor may read, but for its pages. */
export async function readSite(db: Database, id: string): Promise<SiteColumns | undefined> {
  const { rows } = await sql<SiteColumns>`
    select t.id, t.organization_id, t.title, t.visibility, t.basename, t.hostname, t.proxy_origin, t.published_at,
      t.adaptive_content, t.config_version, t.type, t.agents_context, t.created_at,
      coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'parentId', g.parent_id, 'title', g.title,
          'icon', g.icon, 'place', g.place) order by g.place, g.id)
        from site_section_groups g where g.site_id = t.id), '[]') as groups,
      coalesce((select jsonb_agg(jsonb_build_object('id', sec.id, 'groupId', sec.group_id, 'title', sec.title,
          'description', sec.description, 'path', sec.path, 'icon', sec.icon, 'condition', sec.condition,
          'isDefault', sec.is_default, 'place', sec.place) order by sec.place, sec.id)
        from site_sections sec where sec.site_id = t.id), '[]') as sections,
      coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'sectionId', v.section_id, 'path', v.path,
          'segments', ${sql.raw(SEGMENTS)}, 'condition', v.condition, 'isDefault', v.is_default, 'spaceId', s.id, 'storeId', s.store_id,
          'title', s.title, 'emoji', s.emoji, 'icon', s.icon, 'language', s.language, 'revisionId', rv.id,
          'root', encode(rv.root, 'hex'), 'createdAt', s.created_at, 'revisedAt', rv.created_at, 'git', s.git_sync)
          order by sec.place, v.position, v.id)
        from site_spaces v join spaces s on s.id = v.space_id join revisions rv on rv.id = s.revision_id
        left join site_sections sec on sec.id = v.section_id
        where v.site_id = t.id and not v.space_deleted and s.deleted_at is null), '[]') as site_spaces,
      ${specificationsState(sql`t.organization_id`)} as specifications,
      array(select k.key_hash from share_links k where k.site_id = t.id and k.active) as key_hashes
    from sites t where t.id = ${id}`.execute(db);
  return rows[0];
}

/** The id of the site at a custom hostname. */
export const findSiteByHost = (db: Database, hostname: string) =>
  db.selectFrom('sites').select('id').where('hostname', '=', hostname).executeTakeFirst();

/** The site that an organization shows at its subdomain: its default content. */
export async function findSiteBySubdomain(
  db: Database,
  subdomain: string,
): Promise<{ id: string; organizationId: string } | undefined> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    select t.id, o.id as "organizationId" from organizations o
    join sites t on t.organization_id = o.id and t.id = o.default_content ->> 'site'
    where o.hostname = ${subdomain}`.execute(db);
  return rows[0];
}

/** The id of the site at a path of the default address. */
export const findSiteByBasename = (db: Database, basename: string) =>
  db
    .selectFrom('sites')
    .select('id')
    .where(sql<string>`lower(basename)`, '=', basename.toLowerCase())
    .executeTakeFirst();

/** The id of the site that the address of the installation shows. */
export async function findHomeSite(db: Database): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select home_site_id as id from installation where home_site_id is not null`.execute(db);
  return rows[0];
}
