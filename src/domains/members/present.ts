import type { Addresses } from '../../platform/api/context.ts';
import { presentUser } from '../users/index.ts';
import type { CountedMember } from './count-store.ts';
import type { MemberRow } from './policy.ts';

export const presentMember = (row: CountedMember<Omit<MemberRow, 'role'>>, addresses: Addresses) => ({
  object: 'member' as const,
  id: row.user_id,
  role: row.member_role,
  user: presentUser(row, addresses),
  emailProven: row.proven_email !== null,
  disabled: row.disabled,
  joinedAt: row.joined_at.toISOString(),
  lastSeenAt: row.last_seen_at?.toISOString(),
  sso: row.sso,
  spaces: row.spaces,
  teams: row.teams,
  sites: row.sites,
});
