import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { line, listQuery, named, Timestamp } from '../../platform/api/schema.ts';
import { Member, members } from '../members/index.ts';

export const Team = named('Team', {
  object: Type.Literal('team'),
  id: Type.String(),
  title: Type.String(),
  members: Type.Integer(),
  spaces: Type.Number({ description: 'Number of spaces shared with the team' }),
  createdAt: Timestamp,
  permissions: Type.Object({ admin: Type.Boolean(), view: Type.Boolean() }),
});

const TeamRole = Type.Enum(['owner', 'member']);

const Membership = Type.Object({ role: Type.Optional(TeamRole) });

export const TeamMember = named('TeamMember', {
  organization: Member,
  team: Type.Object({ role: TeamRole }),
  permissions: Type.Object({ view: Type.Boolean() }),
});

export const MemberTeam = named('MemberTeam', { team: Team, member: Type.Object({ role: TeamRole }) });

const MemberId = idOf(members, 'view');

export const TeamQuery = Type.Object({
  ...listQuery,
  owner: Type.Optional(MemberId),
  title: Type.Optional(
    Type.String({ maxLength: 64, description: 'Substring of the title, case-insensitive' }),
  ),
});

export const MemberTeamQuery = Type.Object({ ...listQuery, title: TeamQuery.properties.title });

export const NewTeam = Type.Object({
  title: line(1, 64),
  members: Type.Optional(Type.Array(MemberId, { maxItems: 1000 })),
});

export const TeamPatch = Type.Object({ title: line(1, 64) });

export const TeamMembersChange = Type.Object({
  add: Type.Optional(Type.Array(MemberId, { maxItems: 1000, description: 'User ids or e-mail addresses' })),
  remove: Type.Optional(Type.Array(MemberId, { maxItems: 1000 })),
  memberships: Type.Optional(
    Type.Unsafe<Record<string, { role?: 'owner' | 'member' }>>({
      type: 'object',
      propertyNames: MemberId,
      additionalProperties: Membership,
      maxProperties: 1000,
      description: 'Map of user ids to their role in the team',
    }),
  ),
});

export const TeamMembership = Membership;
