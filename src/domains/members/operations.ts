import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { conflict, forbidden } from '../../platform/api/errors.ts';
import { on, operation, signedIn } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { listOf } from '../../platform/api/schema.ts';
import {
  getOrganization,
  joinableOrganizations,
  NewOrganization,
  Organization,
  organizations,
  presentOrganization,
} from '../organizations/index.ts';
import { countSpacesAndSites } from './count-store.ts';
import { createOrganizationWithAdmin } from './create-organization.ts';
import { members, type MemberRow } from './policy.ts';
import { presentMember } from './present.ts';
import { Member, MemberPatch, MemberQuery } from './schema.ts';
import * as store from './store.ts';

const OrganizationPath = Type.Object({ organizationId: idOf(organizations, 'view') });
const MemberPath = Type.Object({
  organizationId: idOf(organizations, 'view'),
  userId: idOf(members, 'view'),
});
const mayOnOrganization = on(organizations);
const mayOnMember = on(members);

async function presentCounted(ctx: Context, member: MemberRow) {
  const [row] = await countSpacesAndSites(ctx.db, [member]);
  return presentMember({ ...member, spaces: row?.spaces ?? 0, sites: row?.sites ?? 0 }, ctx.addresses);
}

/** Here and not in `organizations`, because it inserts the first member, too. */
export const createOrganization = operation({
  method: 'POST',
  path: '/v1/orgs',
  summary: 'Create an organization',
  description: 'You become its admin.',
  scope: 'organization:write',
  body: NewOrganization,
  status: 201,
  response: Organization,
  access: signedIn,
  handle: async ({ ctx, body }) => {
    if (ctx.settings.organizationCreation === 'operator') {
      throw forbidden(
        'Only the operator of this installation can create organizations (`octavo org create`).',
      );
    }
    const id = await createOrganizationWithAdmin(ctx.db, body, ctx.caller.id);
    return presentOrganization(
      await getOrganization(ctx.db, ctx.caller.id, id),
      ctx.caller.id,
      ctx.addresses,
    );
  },
});

export const joinOrganization = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/join',
  summary: 'Join an organization with your e-mail domain',
  description: 'Requires a verified address in one of its e-mail domains. You get its default role.',
  scope: null,
  params: Type.Object({ organizationId: idOf(joinableOrganizations, 'view') }),
  status: 204,
  access: on(joinableOrganizations)('view'),
  handle: async ({ ctx, target }) => {
    const joined = await store.insertMember(ctx.db, {
      organizationId: target.organization_id,
      userId: ctx.caller.id,
      role: target.default_role,
    });
    if (!joined) throw conflict('You are already a member of this organization.');
  },
});

export const updateOrganizationMemberLastSeenAt = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/ping',
  summary: 'Record your presence in an organization',
  scope: 'organization:read',
  params: OrganizationPath,
  status: 200,
  response: Type.Object({}),
  access: mayOnOrganization('view'),
  handle: async ({ ctx }) => {
    await store.touchMembers(ctx.db, [ctx.caller.id]);
    return {};
  },
});

export const listMembersInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/members',
  summary: 'List the members of an organization',
  description: 'Newest first, by the time they joined or were last seen.',
  scope: 'organization:members:read',
  params: OrganizationPath,
  query: MemberQuery,
  status: 200,
  response: listOf(Member),
  access: mayOnOrganization('listMembers'),
  handle: async ({ ctx, target, query, page }) => {
    const found = await store.listMembers(ctx.db, ctx.caller.id, target.organization_id, query, page);
    const rows = await countSpacesAndSites(ctx.db, found.rows);
    return presentList({ ...found, rows }, (row) => presentMember(row, ctx.addresses));
  },
});

export const getMemberInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/members/{userId}',
  summary: 'Get a member of an organization',
  scope: 'organization:members:read',
  params: MemberPath,
  status: 200,
  response: Member,
  access: mayOnMember('view'),
  version: (member) => member.member_role ?? 'guest',
  handle: ({ ctx, target }) => presentCounted(ctx, target),
});

export const updateMemberInOrganizationById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/members/{userId}',
  summary: 'Update the role of a member',
  description: 'The last admin cannot be demoted.',
  scope: 'organization:members:write',
  params: MemberPath,
  body: MemberPatch,
  status: 200,
  response: Member,
  access: mayOnMember('admin'),
  version: (member) => member.member_role ?? 'guest',
  handle: async ({ ctx, target, body }) => {
    const { organization_id: organizationId, user_id: userId } = target;
    if (body.role !== undefined)
      await store.setMemberRole(ctx.db, { organizationId, userId, role: body.role });
    return presentCounted(ctx, await store.getMember(ctx.db, ctx.caller.id, organizationId, userId));
  },
});

export const removeMemberFromOrganizationById = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/members/{userId}',
  summary: 'Remove a member or leave an organization',
  description: 'The last admin cannot leave.',
  scope: 'organization:members:write',
  params: MemberPath,
  status: 205,
  access: mayOnMember('leave'),
  version: (member) => member.member_role ?? 'guest',
  handle: async ({ ctx, target }) => {
    await store.deleteMember(ctx.db, target.organization_id, target.user_id);
  },
});
