import Type from 'typebox';
import { badRequest, conflict } from '../../platform/api/errors.ts';
import { on, operation, signedIn } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { requireReadable } from './merge-rules.ts';
import { organizations } from './policy.ts';
import { presentOrganization, presentToOutsider } from './present.ts';
import { EmailDomainPath, Organization, OrganizationPatch } from './schema.ts';
import { requireFreeHostname } from './reserved-hostnames.ts';
import * as store from './store.ts';

const OrganizationPath = Type.Object({ organizationId: idOf(organizations, 'view') });
const mayOnOrganization = on(organizations);

export const listOrganizationsForAuthenticatedUser = operation({
  method: 'GET',
  path: '/v1/orgs',
  summary: 'List your organizations',
  description: 'Oldest first.',
  scope: 'organization:read',
  query: ListQuery,
  status: 200,
  response: listOf(Organization),
  access: signedIn,
  handle: async ({ ctx, page }) =>
    presentList(await store.listOrganizations(ctx.db, ctx.caller.id, page), (row) =>
      presentOrganization(row, ctx.caller.id, ctx.addresses),
    ),
});

export const getOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}',
  summary: 'Get an organization',
  scope: 'organization:read',
  params: OrganizationPath,
  status: 200,
  response: Organization,
  access: mayOnOrganization('view'),
  version: (organization) => organization.version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target }) => presentOrganization(target, ctx.caller.id, ctx.addresses),
});

export const updateOrganizationById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}',
  summary: 'Update an organization',
  scope: 'organization:write',
  params: OrganizationPath,
  body: OrganizationPatch,
  status: 200,
  response: Organization,
  access: mayOnOrganization('admin'),
  version: (organization) => organization.version,
  handle: async ({ ctx, body, target }) => {
    if (
      body.defaultContent &&
      !(await store.hasSite(ctx.db, target.organization_id, body.defaultContent.site))
    ) {
      throw badRequest(
        `Site "${body.defaultContent.site}" (body.defaultContent.site) is not a site of this organization.`,
      );
    }
    requireReadable(body.mergeRules);
    requireFreeHostname(body.hostname);
    if (body.sso) throw conflict('Add an SSO provider first. Without one, no user could sign in.');
    await store.updateOrganization(ctx.db, target.organization_id, body);
    const updated = await store.getOrganization(ctx.db, ctx.caller.id, target.organization_id);
    return presentOrganization(updated, ctx.caller.id, ctx.addresses);
  },
});

export const getOrganizationsForEmailDomain = operation({
  method: 'GET',
  path: '/v1/email-domains/{emailDomain}/orgs',
  summary: 'List the organizations of an e-mail domain',
  description:
    'Returns organizations if your verified address is in the domain, or if you are their admin: at most 100, yours first, ' +
    'then the oldest.',
  scope: null,
  params: EmailDomainPath,
  status: 200,
  response: Type.Object({ organizations: Type.Array(Organization) }),
  access: signedIn,
  handle: async ({ ctx, params }) => {
    const rows = await store.listOrganizationsOfDomain(ctx.db, ctx.caller.id, params.emailDomain);
    return {
      organizations: rows.map((row) =>
        row.isMember
          ? presentOrganization(row, ctx.caller.id, ctx.addresses)
          : presentToOutsider(row, ctx.addresses),
      ),
    };
  },
});
