import { nearestDefault, SPACE } from './policy.ts';

/** Whether members have a role on what inherits its default from the collection `c`, or, where `c` is null, from the root. */
const IS_SHOWN = `coalesce((select above.default_level is not null from (${nearestDefault(SPACE)}) above), true)`;

/** Counts of spaces `s` that are not deleted: all, those with a default role of their own, those that inherit one. */
export const SPACE_COUNTS = `
  count(*) as spaces, count(*) filter (where not s.default_inherits and s.default_level is not null) as own,
  count(*) filter (where s.default_inherits) as inheriting`;

/** Spaces of collection `c` on which members have no role by default, from the counts `n` of its spaces. */
export const HIDDEN = `n.spaces - n.own - case when n.inheriting > 0 and ${IS_SHOWN} then n.inheriting else 0 end`;

/**
 * Tables of a `with` after a table `granted` (holder_id, collection_id, space_id): the last one, `held`, counts for each
 * holder the spaces that the grants reach, all and hidden. The spaces of a collection are counted once, not for each
 * holder; a grant inside a collection that the same holder has counts nothing.
 */
export const HELD_SPACES = `
  wanted as (
    select distinct collection_id as id from granted where collection_id is not null
  ), counts as (
    select c.path, n.spaces, ${HIDDEN} as hidden
    from (
      select s.parent_id, ${SPACE_COUNTS} from spaces s
      where s.deleted_at is null and s.parent_id = any(array(
        select c.id from wanted w join collections c on c.path @> array[w.id]))
      group by s.parent_id) n
    join collections c on c.id = n.parent_id
  ), inside as (
    select w.id, sum(n.spaces) as spaces, sum(n.hidden) as hidden
    from counts n cross join unnest(n.path) a (id) join wanted w on w.id = a.id
    group by w.id
  ), covered as (
    select g.holder_id, g.collection_id, g.space_id
    from granted g left join spaces s on s.id = g.space_id
    join collections c on c.id = coalesce(g.collection_id, s.parent_id)
    cross join unnest(c.path) a (id)
    join granted o on o.holder_id = g.holder_id and o.collection_id = a.id
    where a.id is distinct from g.collection_id
  ), held as (
    select g.holder_id,
      sum(case when g.space_id is null then coalesce(i.spaces, 0) else (s.id is not null)::int end) as spaces,
      sum(case when g.space_id is null then coalesce(i.hidden, 0) when s.id is null then 0
        when s.default_inherits then (not ${IS_SHOWN})::int else (s.default_level is null)::int end) as hidden
    from (select * from granted except select * from covered) g
    left join inside i on i.id = g.collection_id
    left join spaces s on s.id = g.space_id and s.deleted_at is null
    left join collections c on c.id = s.parent_id
    group by g.holder_id
  )`;
