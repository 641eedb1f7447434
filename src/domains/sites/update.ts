import type { Static } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { requirePath } from './paths.ts';
import type { SiteRow } from './policy.ts';
import type { SitePatch } from './schema.ts';
import * as store from './store.ts';
import { updateDefaults } from './structure/update.ts';

export async function updateSite(
  ctx: Context,
  site: SiteRow,
  patch: Static<typeof SitePatch>,
): Promise<void> {
  const { defaultSiteSpace, defaultSiteSection, basename, ...columns } = patch;
  const changed = {
    ...columns,
    ...(basename === undefined ? {} : { basename: requirePath(basename, 'basename', 'basename') }),
  };
  if (Object.keys(changed).length > 0) await store.updateSite(ctx.db, site.site_id, changed);
  if (defaultSiteSpace !== undefined || defaultSiteSection !== undefined)
    await updateDefaults(ctx, site, { section: defaultSiteSection, siteSpace: defaultSiteSpace });
}
