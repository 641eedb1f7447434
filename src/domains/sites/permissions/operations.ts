import Type from 'typebox';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { listOf, ListQuery } from '../../../platform/api/schema.ts';
import { organizations } from '../../organizations/index.ts';
import { permissionOperations, sharedWith } from '../../permissions/index.ts';
import { sites } from '../policy.ts';
import { presentSitePermission } from './present.ts';
import { SitePermission } from './schema.ts';
import { listSitePermissions } from './store.ts';

const params = { organizationId: idOf(organizations, 'view'), siteId: idOf(sites, 'view') };
const path = '/v1/orgs/{organizationId}/sites/{siteId}';

const onSite = permissionOperations({
  name: 'site',
  path,
  params,
  resource: sites,
  users: sharedWith(sites, 'user_id'),
  teams: sharedWith(sites, 'team_id'),
  subject: (row) => ({ site_id: row.site_id }),
});

export const inviteToSite = onSite.invite;
export const listUserPermissionsInSite = onSite.listUsers;
export const listTeamPermissionsInSite = onSite.listTeams;
export const updateUserPermissionInSite = onSite.updateUser;
export const updateTeamPermissionInSite = onSite.updateTeam;
export const removeUserFromSite = onSite.removeUser;
export const removeTeamFromSite = onSite.removeTeam;

export const listPermissionsAggregateInSite = operation({
  method: 'GET',
  path: `${path}/permissions/aggregate`,
  summary: 'List all users with access to a site',
  description:
    'Admins of the organization and users with a role on the site (`origin.type`: `organization`), and users with a grant ' +
    'on a space that it shows (`space`). Ordered by user id.',
  scope: 'site:permissions:read',
  params: Type.Object(params),
  query: ListQuery,
  status: 200,
  response: listOf(SitePermission),
  access: on(sites)('admin'),
  handle: async ({ ctx, target, page }) =>
    presentList(await listSitePermissions(ctx.db, target.site_id, page), (row) =>
      presentSitePermission(row, target.organization_id, ctx.addresses),
    ),
});
