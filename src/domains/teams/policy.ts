import { resource, type Authorised } from '../../platform/resource.ts';

export interface TeamRow extends Authorised {
  readonly organization_id: string;
  readonly team_id: string;
  readonly title: string;
  readonly version: number;
  readonly created_at: Date;
  readonly members: number;
  readonly spaces: number;
}

/** Teams are shown to every member who is not a guest; their owners and the organization's admins manage them. */
export const teams = resource<TeamRow>()({
  name: 'Team',
  key: 'team_id',
  rows: `
    select t.organization_id, t.id as team_id, t.title, t.version, t.created_at,
      (select count(*) from team_members tm where tm.team_id = t.id) as members,
      0 as spaces,
      case when exists (
        select from team_members tm where tm.team_id = t.id and tm.user_id = caller.id and tm.role = 'owner')
        then 'admin' else mine.role end as role
    from members mine join teams t on t.organization_id = mine.organization_id
    where mine.user_id = caller.id and not mine.disabled and mine.role is not null`,
  match: 't.id = any(:ids)',
  needs: { view: 'read', admin: 'admin' },
});
