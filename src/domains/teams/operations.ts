import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { countSpacesAndSites, members } from '../members/index.ts';
import { organizations } from '../organizations/index.ts';
import { countSpacesOfTeams } from './count-store.ts';
import { teamMembers, teams, type TeamRow } from './policy.ts';
import { presentMemberTeam, presentTeam, presentTeamMember } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const organizationId = idOf(organizations, 'view');
const OrganizationPath = Type.Object({ organizationId });
const TeamPath = Type.Object({ organizationId, teamId: idOf(teams, 'view') });
const TeamMemberPath = Type.Object({ ...TeamPath.properties, userId: idOf(members, 'view') });
const MemberPath = Type.Object({ organizationId, userId: idOf(members, 'view') });
const mayOnOrganization = on(organizations);
const mayOnTeam = on(teams);

async function presentCounted(ctx: Context, team: TeamRow) {
  const [row] = await countSpacesOfTeams(ctx.db, [team]);
  return presentTeam({ ...team, spaces: row?.spaces ?? 0 }, ctx.caller.id);
}

export const listTeamsInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/teams',
  summary: 'List the teams of an organization',
  description: 'Oldest first.',
  scope: 'organization:members:read',
  params: OrganizationPath,
  query: schema.TeamQuery,
  status: 200,
  response: listOf(schema.Team),
  access: mayOnOrganization('listTeams'),
  handle: async ({ ctx, target, query, page, refs }) => {
    const ownerId = query.owner && refs.of(members, query.owner).user_id;
    const filter = { organizationId: target.organization_id, ownerId, title: query.title };
    const found = await store.listTeams(ctx.db, ctx.caller.id, filter, page);
    const rows = await countSpacesOfTeams(ctx.db, found.rows);
    return presentList({ ...found, rows }, (row) => presentTeam(row, ctx.caller.id));
  },
});

export const createOrganizationTeam = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/teams',
  summary: 'Create a team',
  scope: 'organization:members:write',
  params: OrganizationPath,
  body: schema.NewTeam,
  status: 201,
  response: schema.Team,
  access: mayOnOrganization('admin'),
  location: (team, { params }) => `/v1/orgs/${params.organizationId}/teams/${team.id}`,
  handle: async ({ ctx, target, body, refs }) => {
    const team = await store.insertTeam(ctx.db, target.organization_id, body.title, ctx.now());
    const userIds = [...new Set((body.members ?? []).map((id) => refs.of(members, id).user_id))];
    const memberships = userIds.map((userId) => ({ userId, role: undefined }));
    await store.putTeamMembers(ctx.db, team, memberships);
    return presentTeam({ ...team, role: target.role, members: userIds.length, spaces: 0 }, ctx.caller.id);
  },
});

export const getTeamInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/teams/{teamId}',
  summary: 'Get a team',
  scope: 'organization:members:read',
  params: TeamPath,
  status: 200,
  response: schema.Team,
  access: mayOnTeam('view'),
  version: (team) => team.version,
  handle: ({ ctx, target }) => presentCounted(ctx, target),
});

export const updateTeamInOrganizationById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/teams/{teamId}',
  summary: 'Rename a team',
  scope: 'organization:members:write',
  params: TeamPath,
  body: schema.TeamPatch,
  status: 200,
  response: schema.Team,
  access: mayOnTeam('admin'),
  version: (team) => team.version,
  handle: async ({ ctx, target, body }) => {
    await store.renameTeam(ctx.db, target.team_id, body.title);
    return presentCounted(ctx, await store.getTeam(ctx.db, ctx.caller.id, target.team_id));
  },
});

export const removeTeamFromOrganizationById = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/teams/{teamId}',
  summary: 'Delete a team',
  scope: 'organization:members:write',
  params: TeamPath,
  status: 204,
  access: mayOnTeam('admin'),
  version: (team) => team.version,
  handle: async ({ ctx, target }) => {
    await store.deleteTeam(ctx.db, target.team_id);
  },
});

export const listTeamMembersInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/teams/{teamId}/members',
  summary: 'List the members of a team',
  description: 'Ordered by when they joined the team.',
  scope: 'organization:members:read',
  params: TeamPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.TeamMember),
  access: mayOnTeam('view'),
  handle: async ({ ctx, target, page }) => {
    const found = await store.listTeamMembers(ctx.db, ctx.caller.id, target, page);
    const rows = await countSpacesAndSites(ctx.db, found.rows);
    return presentList({ ...found, rows }, (row) => presentTeamMember(row, ctx.addresses));
  },
});

export const updateMembersInOrganizationTeam = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/teams/{teamId}/members',
  summary: 'Update the members of a team',
  description: 'Adds and removes members, and changes their roles in the team.',
  scope: 'organization:members:write',
  params: TeamPath,
  body: schema.TeamMembersChange,
  status: 204,
  access: mayOnTeam('admin'),
  version: (team) => team.version,
  handle: async ({ ctx, target, body, refs }) => {
    const userId = (id: string) => refs.of(members, id).user_id;
    const added = (body.add ?? []).map((id) => ({ userId: userId(id), role: undefined }));
    const set = Object.entries(body.memberships ?? {}).map(([id, { role }]) => ({
      userId: userId(id),
      role,
    }));
    await store.putTeamMembers(ctx.db, target, [...added, ...set]);
    await store.deleteTeamMembers(ctx.db, target.team_id, (body.remove ?? []).map(userId));
  },
});

export const addMemberToOrganizationTeamById = operation({
  method: 'PUT',
  path: '/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}',
  summary: 'Add a member to a team or update their role',
  scope: 'organization:members:write',
  params: TeamMemberPath,
  body: schema.TeamMembership,
  bodyOptional: true,
  status: 204,
  access: mayOnTeam('admin'),
  version: (team) => team.version,
  handle: async ({ ctx, target, params, body, refs }) => {
    const { user_id: userId } = refs.of(members, params.userId);
    await store.putTeamMembers(ctx.db, target, [{ userId, role: body.role }]);
  },
});

export const deleteMemberFromOrganizationTeamById = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}',
  summary: 'Remove a member from a team',
  scope: 'organization:members:write',
  params: Type.Object({ ...TeamPath.properties, userId: idOf(teamMembers, 'view') }),
  status: 205,
  access: mayOnTeam('admin'),
  version: (team) => team.version,
  handle: async ({ ctx, target, params, refs }) => {
    await store.deleteTeamMembers(ctx.db, target.team_id, [refs.of(teamMembers, params.userId).user_id]);
  },
});

export const listTeamsForOrganizationMember = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/members/{userId}/teams',
  summary: 'List the teams of a member',
  description: 'Oldest team first.',
  scope: 'organization:members:read',
  params: MemberPath,
  query: schema.MemberTeamQuery,
  status: 200,
  response: listOf(schema.MemberTeam),
  access: on(members)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const found = await store.listTeamsOfMember(ctx.db, ctx.caller.id, target, query.title, page);
    const rows = await countSpacesOfTeams(ctx.db, found.rows);
    return presentList({ ...found, rows }, (row) => presentMemberTeam(row, ctx.caller.id));
  },
});
