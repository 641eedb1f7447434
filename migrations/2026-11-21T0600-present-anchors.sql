-- The pages and reusable contents, among those asked about, that have an anchor: themselves, or in what they include,
-- directly or through others. For all of them at once: what a page includes is found once, however many links lead to its
-- anchors, and the anchors of an entry are read once.
create function present_anchors(of_spaces text[], of_kinds text[], of_entries text[], of_anchors text[])
returns table (space_id text, kind text, entry_id text, anchor text)
language sql stable as $$
  with recursive asked as materialized (
    select distinct a.space_id, a.kind, a.entry_id, a.anchor
    from unnest(of_spaces, of_kinds, of_entries, of_anchors) a (space_id, kind, entry_id, anchor)
    join link_entries e on e.space_id = a.space_id and e.entry_id = a.entry_id and e.kind = a.kind
  ), included (space_id, root, id) as (
    select a.space_id, a.entry_id, a.entry_id from asked a
    union
    select i.space_id, i.root, e.entry_id
    from included i
    join links l on l.space_id = i.space_id and l.source_id = i.id
    join link_targets t on t.space_id = l.space_id and t.key = l.target
    join link_entries e on e.space_id = t.space_id and e.entry_id = t.target_id and e.kind = t.kind
    where t.relation = 'dependsOn' and t.kind = 'reusable-content' and t.target_space_id is null
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

drop function has_anchor(text, text, text, text);
