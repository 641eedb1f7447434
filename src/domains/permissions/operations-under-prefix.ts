import Type, { type TProperties } from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf, type Resource } from '../../platform/api/resource.ts';
import { listOf, ListQuery } from '../../platform/api/schema.ts';
import {
  deleteGrant,
  putGrant,
  updateGrant,
  type Authorised,
  type Grantee,
  type Role,
  type Subject,
} from '../access/index.ts';
import { members } from '../members/index.ts';
import { countSpacesOfTeams, teams } from '../teams/index.ts';
import type { sharedWith } from './policy.ts';
import { presentTeamPermission, presentUserPermission } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

type SubjectRow = Authorised & { readonly organization_id: string };

interface Kind<R extends SubjectRow> {
  /** Its name in summaries. */
  readonly name: 'space' | 'collection' | 'site';
  readonly path: string;
  readonly params: TProperties;
  readonly resource: Resource<R, 'admin' | 'view'>;
  readonly users: ReturnType<typeof sharedWith>;
  readonly teams: ReturnType<typeof sharedWith>;
  readonly subject: (row: R) => Subject;
}

/** Spaces, collections and sites are shared in the same way: the same operations under three prefixes. */
export function permissionOperations<R extends SubjectRow>(kind: Kind<R>) {
  const { name, path, params, resource, subject } = kind;
  const access = on(resource)('admin');
  const Path = Type.Object(params);
  const UserPath = Type.Object({ ...params, userId: idOf(kind.users, 'view') });
  const TeamPath = Type.Object({ ...params, teamId: idOf(kind.teams, 'view') });
  const scoped = name === 'site' ? 'site:permissions' : 'space:permissions';
  const reading = { method: 'GET', scope: `${scoped}:read`, access, status: 200 } as const;
  const writing = { scope: `${scoped}:write`, access } as const;

  return {
    invite: operation({
      ...writing,
      method: 'POST',
      path: `${path}/permissions`,
      summary: `Share a ${name} with users and teams`,
      params: Path,
      body: schema.Invitation,
      status: 204,
      handle: async ({ ctx, target, body, refs }) => {
        const grantees: Grantee[] = [
          ...(body.users ?? []).map((id) => ({ user_id: refs.of(members, id).user_id })),
          ...(body.teams ?? []).map((id) => ({ team_id: refs.of(teams, id).team_id })),
        ];
        if (grantees.length === 0) throw badRequest('Send `users` or `teams` to share it with.');
        for (const grantee of grantees) await share(ctx, target, subject(target), grantee, body.role);
      },
    }),
    listUsers: operation({
      ...reading,
      path: `${path}/permissions/users`,
      summary: `List the users that a ${name} is shared with`,
      description: 'Oldest grant first. Omits users who have access through their role or a team.',
      params: Path,
      query: ListQuery,
      response: listOf(schema.UserPermission),
      handle: async ({ ctx, target, page }) =>
        presentList(await store.listUserGrants(ctx.db, subject(target), page), (row) =>
          presentUserPermission(row, ctx.addresses),
        ),
    }),
    listTeams: operation({
      ...reading,
      path: `${path}/permissions/teams`,
      summary: `List the teams that a ${name} is shared with`,
      description: 'Oldest grant first.',
      params: Path,
      query: ListQuery,
      response: listOf(schema.TeamPermission),
      handle: async ({ ctx, target, page }) => {
        const found = await store.listTeamGrants(ctx.db, ctx.caller.id, subject(target), page);
        const rows = await countSpacesOfTeams(ctx.db, found.rows);
        return presentList({ ...found, rows }, (row) => presentTeamPermission(row, ctx.caller.id));
      },
    }),
    updateUser: operation({
      ...writing,
      method: 'PATCH',
      path: `${path}/permissions/users/{userId}`,
      summary: `Update the role of a user on a ${name}`,
      params: UserPath,
      body: schema.PermissionPatch,
      status: 204,
      handle: ({ ctx, target, params, body }) =>
        change(ctx, subject(target), { user_id: params['userId'] as string }, body.role),
    }),
    updateTeam: operation({
      ...writing,
      method: 'PATCH',
      path: `${path}/permissions/teams/{teamId}`,
      summary: `Update the role of a team on a ${name}`,
      params: TeamPath,
      body: schema.PermissionPatch,
      status: 204,
      handle: ({ ctx, target, params, body }) =>
        change(ctx, subject(target), { team_id: params['teamId'] as string }, body.role),
    }),
    removeUser: operation({
      ...writing,
      method: 'DELETE',
      path: `${path}/permissions/users/{userId}`,
      summary: `Remove a user from a ${name}`,
      params: UserPath,
      status: 205,
      handle: async ({ ctx, target, params }) => {
        await deleteGrant(ctx.db, subject(target), { user_id: params['userId'] as string });
      },
    }),
    removeTeam: operation({
      ...writing,
      method: 'DELETE',
      path: `${path}/permissions/teams/{teamId}`,
      summary: `Remove a team from a ${name}`,
      params: TeamPath,
      status: 205,
      handle: async ({ ctx, target, params }) => {
        await deleteGrant(ctx.db, subject(target), { team_id: params['teamId'] as string });
      },
    }),
  };
}

type Place = Exclude<Subject, { site_id: string }>;

/** Roles on spaces and collections also come from defaults and from collections above. */
export function aggregateOperation<R extends SubjectRow>({
  name,
  path,
  params,
  resource,
  subject,
}: Omit<Kind<R>, 'users' | 'teams' | 'subject'> & { readonly subject: (row: R) => Place }) {
  return operation({
    method: 'GET',
    path: `${path}/permissions/aggregate`,
    summary: `List all users with access to a ${name}`,
    description:
      'Each with the effective role from grants, teams, collections and defaults. Ordered by user id.',
    scope: 'space:permissions:read',
    params: Type.Object(params),
    query: schema.AggregateQuery,
    status: 200,
    response: listOf(schema.UserPermission),
    access: on(resource)('admin'),
    handle: async ({ ctx, target, query, page }) =>
      presentList(await store.listEffectivePermissions(ctx.db, subject(target), query.role, page), (row) =>
        presentUserPermission(row, ctx.addresses),
      ),
  });
}

async function share(
  ctx: Context,
  row: SubjectRow,
  subject: Subject,
  grantee: Grantee,
  role: Role | null,
): Promise<void> {
  if (role === null) await deleteGrant(ctx.db, subject, grantee);
  else await putGrant(ctx.db, row.organization_id, subject, grantee, role);
}

async function change(
  ctx: Context,
  subject: Subject,
  grantee: Grantee,
  role: Role | null | undefined,
): Promise<void> {
  if (role === null) await deleteGrant(ctx.db, subject, grantee);
  else if (role !== undefined) await updateGrant(ctx.db, subject, grantee, role);
}
