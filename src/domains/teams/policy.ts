import { NAMED_BY_EMAIL, PROVEN_EMAIL } from '../users/index.ts';
import { resource, type Authorised } from '../access/index.ts';

export interface TeamRow extends Authorised {
  readonly organization_id: string;
  readonly team_id: string;
  readonly title: string;
  readonly version: number;
  readonly created_at: Date;
  readonly members: number;
}

/**
 * Teams are shown to every member who is not a guest; their owners and the organization's admins manage them. Their spaces
 * are counted for a page at once, and only for responses (`count-store.ts`).
 */
export const teams = resource<TeamRow>()({
  name: 'Team',
  key: 'team_id',
  rows: `
    select t.organization_id, t.id as team_id, t.title, t.version, t.created_at,
      (select count(*) from team_members tm where tm.team_id = t.id) as members,
      case when exists (
        select from team_members tm where tm.team_id = t.id and tm.user_id = caller.id and tm.role = 'owner')
        then 'admin' else mine.role end as role
    from members mine join teams t on t.organization_id = mine.organization_id
    where mine.user_id = caller.id and not mine.disabled and mine.role is not null`,
  match: 't.id = any(:ids)',
  needs: { view: 'read', admin: 'admin' },
});

export interface TeamMembershipRow extends Authorised {
  readonly team_id: string;
  readonly user_id: string;
}

/** The members of a team, for those who may see the team. */
export const teamMembers = resource<TeamMembershipRow>()({
  name: 'Team member',
  key: 'user_id',
  rows: `
    select tm.organization_id, tm.team_id, tm.user_id, ${PROVEN_EMAIL} as proven_email, mine.role
    from members mine join team_members tm on tm.organization_id = mine.organization_id
    join users u on u.id = tm.user_id
    where mine.user_id = caller.id and not mine.disabled and mine.role is not null`,
  match: `tm.team_id = :within
    and (tm.user_id = any(:ids) or ${NAMED_BY_EMAIL})`,
  within: teams,
  alias: 'proven_email',
  needs: { view: 'read' },
});
