import { createHash } from 'node:crypto';
import {
  effectiveCustomization,
  findSiteCustomization,
  readerTheme,
  type Customization,
  type PartialCustomization,
} from '../../domains/customization/index.ts';
import { findVisitorAuth, type VisitorAuth } from '../../domains/publishing/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { readSite, type SectionColumns, type SiteColumns, type SiteSpaceColumns } from './store.ts';

/** The settings of a site with the theme that pages begin with, which may be that of the reader's system. */
export interface ReaderCustomization extends Omit<Customization, 'themes'> {
  readonly themes: Omit<Customization['themes'], 'default'> & {
    readonly default: ReturnType<typeof readerTheme>;
  };
}

/** The facts that decide about a site's pages, except their content. Cached until the site or one of its spaces changes. */
export interface PublishedSite extends SiteColumns {
  /** Changes with every setting of the site, and with the names of its spaces: part of the keys of cached pages. */
  readonly version: string;
  readonly visitorAuth: VisitorAuth | undefined;
  readonly customization: ReaderCustomization;
  /** Those of `customization` that differ from the defaults. */
  readonly ownSettings: PartialCustomization;
  /** Characters of JSON. */
  readonly ownSettingsSize: number;
  /** Site spaces with settings of their own, which are read with the first page that needs them. */
  readonly customizedSpaces: ReadonlySet<string>;
  sectionOf(siteSpace: SiteSpaceColumns): SectionColumns | undefined;
}

export type ReadContext = Pick<
  Context,
  'db' | 'isFront' | 'keys' | 'caches' | 'addresses' | 'files' | 'threads'
>;

/** Among the revisions that a page shows, this stands for the specifications of the organization. No space has this id. */
export const SPECIFICATIONS = 'specifications';

/** The key of the cached row. */
export const siteKey = (id: string): string => `site ${id}`;

/** The cached site; undefined if there is none with this id. */
export async function openSite(ctx: ReadContext, id: string): Promise<PublishedSite | undefined> {
  const { rows, loading } = ctx.caches.sites;
  const begun = rows.begin();
  if (begun === undefined) return load(ctx, id);
  const key = siteKey(id);
  const cached = rows.get(key) as PublishedSite | undefined;
  if (cached) return cached;
  // Concurrent readers share a load that began after the last change.
  const shared = loading.get(key);
  if (shared?.begun === begun) return shared.site;
  const site = load(ctx, id).then((found) => {
    if (found) rows.put(key, begun, tagsOf(found), found);
    return found;
  });
  loading.set(key, { begun, site });
  try {
    return await site;
  } finally {
    if (loading.get(key)?.site === site) loading.delete(key);
  }
}

/** The organization says which site its subdomain shows. */
const tagsOf = ({ id, organization_id: organizationId, site_spaces: spaces }: PublishedSite): string[] => [
  `site:${id}`,
  `organization:${organizationId}`,
  ...new Set(spaces.map(({ spaceId }) => `space:${spaceId}`)),
];

async function load(ctx: ReadContext, id: string): Promise<PublishedSite | undefined> {
  const columns = await readSite(ctx.db, id);
  if (!columns) return undefined;
  const [stored, visitorAuth] = await Promise.all([
    findSiteCustomization(ctx.db, id),
    columns.visibility === 'visitor-auth' || columns.adaptive_content ? findVisitorAuth(ctx, id) : undefined,
  ]);
  const sections = new Map(columns.sections.map((section) => [section.id, section]));
  return {
    ...columns,
    version: versionOf(columns),
    visitorAuth,
    sectionOf: ({ sectionId }) => (sectionId === null ? undefined : sections.get(sectionId)),
    customization: forReaders(effectiveCustomization(stored.settings)),
    ownSettings: stored.settings,
    ownSettingsSize: JSON.stringify(stored.settings).length,
    customizedSpaces: new Set(stored.siteSpaces),
  };
}

export const forReaders = (settings: Customization): ReaderCustomization => ({
  ...settings,
  themes: { ...settings.themes, default: readerTheme(settings) },
});

/** Revisions are left out: a page depends on those of the spaces that it reads. */
function versionOf({ id, config_version, site_spaces: spaces }: SiteColumns): string {
  const names = spaces.map(({ id: each, title, emoji, icon, language, git }) => [
    each,
    title,
    emoji,
    icon,
    language,
    git?.url,
    git?.directory,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([id, config_version, names]))
    .digest('base64url')
    .slice(0, 16);
}
