-- Links of the primary revision of each space, by target: docs/decisions/0037-links.md. Rows are written in the
-- transaction that publishes content and holds the lock of the space. All rows of a space are deleted with it.

-- Spaces that have, or had, content, and the counts of their targets.
create table link_indexes (
  space_id text primary key references spaces on delete cascade,
  targets integer not null default 0,
  broken integer not null default 0,
  -- Null: no check of external links is wanted. In the past: one is wanted, or was interrupted. In the future: a process
  -- is checking, and extends it as long as it works.
  checking_until timestamptz,
  -- When the check was requested: earlier results are renewed.
  check_since timestamptz
) with (fillfactor = 50);
create index link_indexes_to_check on link_indexes (checking_until) where checking_until is not null;

-- Entries of the primary revision: the possible targets of links from other spaces, and the anchors of bodies.
create table link_entries (
  space_id text not null,
  entry_id text not null,
  -- page, file, reusable-content
  kind text not null,
  -- Null: unknown, and every anchor counts as present.
  anchors text[],
  primary key (space_id, entry_id)
);

create table link_targets (
  space_id text not null,
  -- Hash of relation, kind, target_space_id, target_id, anchor and url.
  key uuid not null,
  -- reference, dependsOn
  relation text not null,
  -- page, file, reusable-content, url, missing, space, collection, user, openapi
  kind text not null,
  -- Of an entry of another space, or the space itself. Null: an entry of this space.
  target_space_id text,
  target_id text,
  anchor text,
  -- Of a URL: as written. Of a missing entry: its path.
  url text,
  -- Of a URL with http or https: origin and path, at most 500 characters.
  address text collate "C",
  -- Null: outside of the space, decided when it is read.
  broken boolean,
  -- Number of sources that have it.
  sources integer not null,
  -- The last check of an external link, and its problem in words.
  checked_at timestamptz,
  problem text,
  primary key (space_id, key)
);
create index link_targets_of_entry on link_targets (space_id, target_id) where target_id is not null;
create index link_targets_broken on link_targets (space_id, key) where broken;
create index link_targets_outside on link_targets (space_id, key) where broken is null;
create index link_targets_address on link_targets (space_id, address) where address is not null;
create index link_targets_to_space on link_targets (target_space_id, target_id) where target_space_id is not null;

create table links (
  space_id text not null,
  source_id text not null,
  -- Order in the source. Below zero: a cover, the target of a link page, the source of a computed page.
  ordinal integer not null,
  target uuid not null,
  -- As written in the body; null where the target has it (url), or where there is none (cover).
  href text,
  -- The target by id: of the link table, of an address by id, of a cover.
  entry_kind text,
  entry_id text,
  -- Of a path: the folded name of the entry that it asks for.
  wanted text,
  -- The path alone decides: the source has no target by id that exists.
  loose boolean not null,
  primary key (space_id, source_id, ordinal)
);
create index links_to_target on links (space_id, target, source_id);
create index links_wanted on links (space_id, wanted) where loose;
create index links_to_deleted on links (space_id, entry_id) where loose and entry_id is not null;

-- No foreign keys between these tables: a check per row would cost more than the row.
create function delete_links() returns trigger language plpgsql as $$
begin
  delete from links where space_id = old.space_id;
  delete from link_targets where space_id = old.space_id;
  delete from link_entries where space_id = old.space_id;
  return null;
end $$;
create trigger delete_links after delete on link_indexes for each row execute function delete_links();

create function count_link_targets() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update link_indexes i set targets = i.targets + c.targets, broken = i.broken + c.broken
    from (select space_id, count(*) as targets, count(*) filter (where broken) as broken
      from new_rows group by space_id) c
    where i.space_id = c.space_id;
  elsif tg_op = 'DELETE' then
    update link_indexes i set targets = i.targets - c.targets, broken = i.broken - c.broken
    from (select space_id, count(*) as targets, count(*) filter (where broken) as broken
      from old_rows group by space_id) c
    where i.space_id = c.space_id;
  else
    update link_indexes i set broken = i.broken + c.broken
    from (select space_id, sum(change) as broken
      from (select space_id, 1 as change from new_rows where broken
        union all select space_id, -1 from old_rows where broken) changes group by space_id) c
    where i.space_id = c.space_id and c.broken <> 0;
  end if;
  return null;
end $$;
create trigger count_new after insert on link_targets
  referencing new table as new_rows for each statement execute function count_link_targets();
create trigger count_gone after delete on link_targets
  referencing old table as old_rows for each statement execute function count_link_targets();
create trigger count_changed after update on link_targets
  referencing old table as old_rows new table as new_rows for each statement execute function count_link_targets();

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
