/**
 * The effective role on a space or collection, by precedence (not the highest of all): organization admins are admins;
 * else the highest grant on the object itself; else on the nearest collection above that has one; else the default,
 * which a role set on the object or above it replaces; guests have grants only.
 *
 * All SQL here uses `mine` (the member whose role is computed), `own` (the object, with its `default_inherits`,
 * `default_level` and `parent_id`) and `way` (the path of collections down to it).
 */
interface Place {
  /** Alias of the object's table. */
  readonly own: string;
  /** The path of its collections, from the root; for a collection, its own id is last. */
  readonly way: string;
  /** The condition that finds grants on the object itself, in addition to those on `way`. */
  readonly itself: string;
}

export const SPACE: Place = { own: 's', way: 'c.path', itself: 'g.space_id = s.id' };
export const COLLECTION: Place = { own: 'c', way: 'c.path', itself: 'false' };

/** The nearest ancestor with a default level of its own. */
export const nearestDefault = ({ way }: Place): string => `
  select true as is_set, a.default_level from collections a
  where a.id = any(${way}) and not a.default_inherits
  order by cardinality(a.path) desc limit 1`;

const granted = ({ way, itself }: Place): string => `
  select g.role from grants g
  where g.organization_id = mine.organization_id and (${itself} or g.collection_id = any(${way}))
    and (g.user_id = mine.user_id or g.team_id in (
      select tm.team_id from team_members tm
      where tm.organization_id = mine.organization_id and tm.user_id = mine.user_id))
  order by array_position(${way}, g.collection_id) desc nulls first, g.role desc limit 1`;

/** The inherited level, or `otherwise`. Looked up only below a collection, because most objects are at the root. */
const inherited = (place: Place, otherwise: string): string => `
  case when ${place.own}.parent_id is null then ${otherwise} else (
    select case when above.is_set then above.default_level else ${otherwise} end
    from (select) one left join lateral (${nearestDefault(place)}) above on true) end`;

export const effectiveRole = (place: Place): string => `
  case when mine.role = 'admin' then mine.role else coalesce((${granted(place)}),
    case when mine.role is null then null
      when not ${place.own}.default_inherits then ${place.own}.default_level
      else ${inherited(place, 'mine.role')} end) end`;

/** `defaultLevel` in responses: the inherited level for a member with the organization's default role. */
export const shownDefault = (place: Place): string => `
  case when not ${place.own}.default_inherits then ${place.own}.default_level
    else ${inherited(place, 'o.default_role')} end`;
