import { atLeast, resource, type Authorised, type Role } from '../access/index.ts';
import { organizations } from '../organizations/index.ts';
import { NAMED_BY_EMAIL, PROVEN_EMAIL } from '../users/index.ts';

export interface MemberRow extends Authorised {
  readonly organization_id: string;
  readonly user_id: string;
  /** The member's own role; `role` is the caller's. */
  readonly member_role: Role | null;
  readonly disabled: boolean;
  readonly sso: boolean;
  readonly joined_at: Date;
  readonly last_seen_at: Date | null;
  readonly display_name: string;
  readonly email: string;
  /** The address, if it is proven: members can be addressed by it. */
  readonly proven_email: string | null;
  readonly photo_url: string | null;
  readonly teams: number;
}

/**
 * Members are shown to every member who is not a guest; guests see themselves. Their spaces are counted for a page at once,
 * and only for responses (`count-store.ts`).
 */
export const members = resource<MemberRow>()({
  name: 'Member',
  key: 'user_id',
  rows: `
    select m.organization_id, m.user_id, m.role as member_role, m.disabled, m.sso, m.joined_at, m.last_seen_at,
      u.display_name, u.email, ${PROVEN_EMAIL} as proven_email, u.photo_url, mine.role,
      (select count(*) from team_members tm
        where tm.organization_id = m.organization_id and tm.user_id = m.user_id) as teams
    from members mine join members m on m.organization_id = mine.organization_id join users u on u.id = m.user_id
    where mine.user_id = caller.id and not mine.disabled and (mine.role is not null or m.user_id = caller.id)
      and m.installation_id is null`,
  match: `m.organization_id = :within
    and (m.user_id = any(:ids) or ${NAMED_BY_EMAIL})`,
  within: organizations,
  alias: 'proven_email',
  needs: {
    view: 'guest',
    admin: 'admin',
    leave: (row, callerId) => row.user_id === callerId || atLeast(row.role, 'admin'),
  },
});
