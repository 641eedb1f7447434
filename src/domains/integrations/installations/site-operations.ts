import { readRows } from '../../../platform/access/read-rows.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { presentSite, sites } from '../../sites/index.ts';
import { contentOperations } from './operations-on-content.ts';
import { siteInstallations } from './policy.ts';
import { presentContentInstallation } from './present.ts';
import * as schema from './schema.ts';

const onSites = contentOperations({
  name: 'site',
  resource: siteInstallations,
  param: { siteId: idOf(siteInstallations, 'view') },
  body: schema.NewSiteInstallation,
  idIn: (body) => (body as { readonly siteId: string }).siteId,
  response: schema.SiteInstallation,
  async present(ctx, rows, isExtended) {
    const viewable = isExtended
      ? await readRows(
          ctx,
          sites,
          rows.map((row) => row.content_id),
        )
      : new Map();
    return rows.map((row) => {
      const site = viewable.get(row.content_id);
      return {
        ...presentContentInstallation(ctx, 'site', row),
        site: site ? presentSite(site, ctx) : row.content_id,
      };
    });
  },
});

export const listIntegrationSiteInstallations = onSites.listOfIntegration;
export const listIntegrationInstallationSites = onSites.list;
export const installIntegrationOnSite = onSites.install;
export const getIntegrationSiteInstallation = onSites.get;
export const updateIntegrationSiteInstallation = onSites.update;
export const uninstallIntegrationFromSite = onSites.uninstall;
