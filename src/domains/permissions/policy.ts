import type { Resource } from '../../platform/api/resource.ts';
import { resource, type Authorised } from '../access/index.ts';

interface GrantRow extends Authorised {
  readonly user_id: string | null;
  readonly team_id: string | null;
}

/** The users, or teams, that a space or collection is shared with. Their ids are valid only there. */
export const sharedWith = (within: Resource, key: 'user_id' | 'team_id') =>
  resource<GrantRow>()({
    name: key === 'user_id' ? 'User permission' : 'Team permission',
    key,
    rows: `
      select g.${within.key}, g.user_id, g.team_id, mine.role
      from members mine join grants g on g.organization_id = mine.organization_id
      left join users u on u.id = g.user_id
      where mine.user_id = caller.id and not mine.disabled and u.is_installation is not true`,
    match: `g.${within.key} = :within and g.${key} = any(:ids)`,
    within,
    needs: { view: 'guest' },
  });
