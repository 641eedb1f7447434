import Type from 'typebox';
import { listQuery, named, Timestamp } from '../../platform/api/schema.ts';
import { RoleName, RoleOrNull } from '../access/index.ts';
import { User } from '../users/index.ts';

export const Member = named('OrganizationMember', {
  object: Type.Literal('member'),
  id: Type.String(),
  role: RoleOrNull,
  user: User,
  emailProven: Type.Boolean({
    description: 'Whether the address is verified. An unverified address may belong to another person.',
  }),
  disabled: Type.Boolean(),
  joinedAt: Timestamp,
  lastSeenAt: Type.Optional(Timestamp),
  sso: Type.Boolean(),
  spaces: Type.Number({ description: 'Number of spaces that the member may view' }),
  teams: Type.Number(),
  sites: Type.Number({ description: 'Number of sites on which the member has a role' }),
});

export const MemberPatch = Type.Object({ role: Type.Optional(RoleOrNull) });

export const MemberQuery = Type.Object({
  ...listQuery,
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc', description: 'Sort order' })),
  role: Type.Optional(
    Type.Union([RoleName, Type.Literal('guest')], { description: 'Only members with this role' }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 512, description: 'Substring of the name or the e-mail address' }),
  ),
  sort: Type.Optional(
    Type.Enum(['joinedAt', 'lastSeenAt'], { default: 'joinedAt', description: 'Field to sort by' }),
  ),
});
