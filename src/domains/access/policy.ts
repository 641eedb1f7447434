/**
 * The effective role on a space or collection, by precedence (not the highest of all): organization admins are admins;
 * installations on all spaces have the role that their scopes need; else the highest grant on the object itself; else on the nearest collection above that has one; else the default,
 * which a role set on the object or above it replaces; guests have grants only.
 *
 * Everything here is SQL text. It expects a row `mine`: the membership of the user whose role is computed.
 */
interface SecuredTable {
  /** Alias of the object's table, which has `default_inherits`, `default_level` and `parent_id`. */
  readonly alias: string;
  /** Array of the ids of the enclosing collections, root first. For a collection, its own id is the last one. */
  readonly path: string;
  /** Condition for grants on the object itself, if `path` does not contain it. */
  readonly directGrant: string;
}

export const SPACE: SecuredTable = { alias: 's', path: 'c.path', directGrant: 'g.space_id = s.id' };
export const COLLECTION: SecuredTable = { alias: 'c', path: 'c.path', directGrant: 'false' };

/** The nearest collection above that sets a default of its own. */
export const nearestDefault = ({ path }: SecuredTable): string => `
  select true as is_set, a.default_level from collections a
  where a.id = any(${path}) and not a.default_inherits
  order by cardinality(a.path) desc limit 1`;

/** The user and their teams, as grantees: with one column for both, an index finds their grants among thousands. */
const GRANTEES = `array(
  select mine.user_id union all
  select tm.team_id from team_members tm
  where tm.organization_id = mine.organization_id and tm.user_id = mine.user_id)`;

const granted = ({ path, directGrant }: SecuredTable): string => `
  select g.role from grants g
  where g.organization_id = mine.organization_id and (${directGrant} or g.collection_id = any(${path}))
    and g.grantee_id = any(${GRANTEES})
  order by array_position(${path}, g.collection_id) desc nulls first, g.role desc limit 1`;

/** The default of the nearest collection that sets one, or `otherwise`. Objects at the root, which are most, need no query. */
const inherited = (table: SecuredTable, otherwise: string): string => `
  case when ${table.alias}.parent_id is null then ${otherwise} else (
    select case when above.is_set then above.default_level else ${otherwise} end
    from (select) one left join lateral (${nearestDefault(table)}) above on true) end`;

export const effectiveRole = (table: SecuredTable): string => `
  case when mine.role = 'admin' then mine.role when mine.spaces_role is not null then mine.spaces_role
    else coalesce((${granted(table)}),
    case when mine.role is null then null
      when not ${table.alias}.default_inherits then ${table.alias}.default_level
      else ${inherited(table, 'mine.role')} end) end`;

/** `defaultLevel` of the API: an inherited default is resolved for a member with the organization's default role. */
export const shownDefault = (table: SecuredTable): string => `
  case when not ${table.alias}.default_inherits then ${table.alias}.default_level
    else ${inherited(table, 'o.default_role')} end`;
