import { resource, type Authorised } from '../access/index.ts';
import { rowsInsideSite, sites, siteSpaces } from '../sites/index.ts';

interface Customized extends Authorised {
  readonly organization_id: string;
  readonly site_id: string;
  /** The settings of the site as stored: merge them before use. Null: none. */
  readonly site_settings: object | null;
  readonly site_settings_version: number;
}

export interface CustomizedSiteRow extends Customized {
  /** The space of the default site space of the default section. */
  readonly default_space_id: string | null;
}

const SITE_SETTINGS = `
  cu.settings as site_settings, coalesce(cu.version, 0) as site_settings_version`;

export const customizedSites = resource<CustomizedSiteRow>()({
  name: 'Site',
  key: 'site_id',
  rows: rowsInsideSite(
    `${SITE_SETTINGS}, (
      select v.space_id from site_spaces v left join site_sections sec on sec.id = v.section_id
      where v.site_id = t.id and v.is_default and sec.is_default is not false) as default_space_id`,
    'left join site_customizations cu on cu.site_id = t.id',
  ),
  match: 't.id = any(:ids)',
  needs: { view: 'read', admin: 'admin' },
});

export interface CustomizedSiteSpaceRow extends Customized {
  readonly site_space_id: string;
  readonly space_id: string;
  /** The settings of the site space. Null: none. */
  readonly overrides: object | null;
  readonly overrides_version: number;
}

/** The rows of `siteSpaces`, with their settings. */
export const customizedSiteSpaces = resource<CustomizedSiteSpaceRow>()({
  name: 'Site space',
  key: 'site_space_id',
  rows: `
    select v.organization_id, v.site_id, v.site_space_id, v.space_id, v.role, ${SITE_SETTINGS}, o.settings as overrides,
      coalesce(o.version, 0) as overrides_version
    from (${siteSpaces.rows}) v
    left join site_customizations cu on cu.site_id = v.site_id
    left join site_space_customizations o on o.site_space_id = v.site_space_id
    where true`,
  match: 'v.site_id = :within and v.site_space_id = any(:ids)',
  within: sites,
  needs: { view: 'read', admin: 'admin' },
});
