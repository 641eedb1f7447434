import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { listQuery, named } from '../../platform/api/schema.ts';
import { RoleName, RoleOrNull } from '../access/index.ts';
import { members } from '../members/index.ts';
import { Team, teams } from '../teams/index.ts';
import { User } from '../users/index.ts';

export const UserPermission = named('UserPermission', { permission: RoleName, user: User });
export const TeamPermission = named('TeamPermission', { permission: RoleName, team: Team });

export const Invitation = Type.Object({
  role: { ...RoleOrNull, description: 'Role to grant; `null` revokes the grant' },
  users: Type.Optional(Type.Array(idOf(members, 'view'), { minItems: 1, maxItems: 1000 })),
  teams: Type.Optional(Type.Array(idOf(teams, 'view'), { minItems: 1, maxItems: 1000 })),
});

export const PermissionPatch = Type.Object({ role: Type.Optional(RoleOrNull) });

export const AggregateQuery = Type.Object({
  ...listQuery,
  role: Type.Optional({ ...RoleName, description: 'Only users with exactly this role', examples: ['admin'] }),
});
