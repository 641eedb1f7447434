-- The pages and reusable contents, among those asked about, that have an anchor: themselves, or in what they include,
-- directly or through others. For all of them at once: what a page includes is found once, however many links lead to its
-- anchors, and the anchors of an entry are read once. Each row is looked up by the primary key of its table (`offset 0`
-- keeps the planner from joining in another way): a plan that was made while the tables were small is used for large ones.
create function present_anchors(of_spaces text[], of_kinds text[], of_entries text[], of_anchors text[])
returns table (space_id text, kind text, entry_id text, anchor text)
language sql stable set enable_seqscan = off as $$
  with recursive asked as materialized (
    select distinct a.space_id, a.kind, a.entry_id, a.anchor
    from unnest(of_spaces, of_kinds, of_entries, of_anchors) a (space_id, kind, entry_id, anchor)
    join link_entries e on e.space_id = a.space_id and e.entry_id = a.entry_id and e.kind = a.kind
  ), included (space_id, root, id) as (
    select a.space_id, a.entry_id, a.entry_id from asked a
    union
    select i.space_id, i.root, e.entry_id
    from included i
    cross join lateral (
      select l.target from links l where l.space_id = i.space_id and l.source_id = i.id offset 0) l
    cross join lateral (
      select t.kind, t.target_id from link_targets t
      where t.space_id = i.space_id and t.key = l.target and t.relation = 'dependsOn' and t.kind = 'reusable-content'
        and t.target_space_id is null offset 0) t
    cross join lateral (
      select e.entry_id from link_entries e
      where e.space_id = i.space_id and e.entry_id = t.target_id and e.kind = t.kind offset 0) e
  ), entries as materialized (
    select e.space_id, e.entry_id, e.anchors
    from (select distinct i.space_id, i.id from included i) i
    join link_entries e on e.space_id = i.space_id and e.entry_id = i.id
  ), owned as materialized (
    select e.space_id, e.entry_id, o.anchor
    from entries e, unnest(e.anchors) o (anchor)
    where o.anchor in (select a.anchor from asked a)
  ), reached as materialized (
    select distinct i.space_id, i.root, o.anchor
    from included i join owned o on o.space_id = i.space_id and o.entry_id = i.id
  ), uncertain as materialized (
    select distinct i.space_id, i.root
    from included i join entries e on e.space_id = i.space_id and e.entry_id = i.id
    where e.anchors is null
  )
  select a.space_id, a.kind, a.entry_id, a.anchor from asked a
  where (a.space_id, a.entry_id, a.anchor) in (select r.space_id, r.root, r.anchor from reached r)
    or (a.space_id, a.entry_id) in (select u.space_id, u.root from uncertain u)
$$;

-- `has_anchor` stays for processes of an earlier version that run while the first one is upgraded.
