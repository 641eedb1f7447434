import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import { presentMember, type Counted, type CountedMember } from '../members/index.ts';
import { teams, type TeamRow } from './policy.ts';
import type { MemberTeamRow, TeamMemberRow } from './store.ts';

export const presentTeam = (row: Counted<TeamRow>, callerId: string) => ({
  object: 'team' as const,
  id: row.team_id,
  title: row.title,
  members: row.members,
  spaces: row.spaces,
  createdAt: row.created_at.toISOString(),
  permissions: flags(teams, ['admin', 'view'], row, callerId),
});

export const presentTeamMember = (row: CountedMember<TeamMemberRow>, addresses: Addresses) => ({
  organization: presentMember(row, addresses),
  team: { role: row.team_role },
  permissions: { view: true },
});

export const presentMemberTeam = (row: Counted<MemberTeamRow>, callerId: string) => ({
  team: presentTeam(row, callerId),
  member: { role: row.team_role },
});
