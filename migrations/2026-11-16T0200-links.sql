-- Links of the primary revision of each space, by target: docs/decisions/0037-links.md. Rows are written in the
-- transaction that publishes content and holds the lock of the space. All rows of a space are deleted with it.

-- Spaces whose primary revision is indexed, and the counts of their targets. No row: not indexed yet.
create table link_indexes (
  space_id text primary key references spaces on delete cascade,
  form smallint not null,
  targets integer not null default 0,
  broken integer not null default 0,
  -- Claim of a running check of external links.
  checking_until timestamptz
) with (fillfactor = 50);

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

-- Whether a page or reusable content has an anchor: itself, or in what it includes, directly or through others.
create function has_anchor(of_space text, of_kind text, of_entry text, wanted text) returns boolean
language sql stable as $$
  with recursive included as (
    select e.entry_id, e.anchors from link_entries e
    where e.space_id = of_space and e.entry_id = of_entry and e.kind = of_kind
    union
    select e.entry_id, e.anchors
    from included i
    join links l on l.space_id = of_space and l.source_id = i.entry_id
    join link_targets t on t.space_id = of_space and t.key = l.target
    join link_entries e on e.space_id = of_space and e.entry_id = t.target_id and e.kind = t.kind
    where t.relation = 'dependsOn' and t.kind = 'reusable-content' and t.target_space_id is null
  )
  select exists (select from included where anchors is null or wanted = any(anchors))
$$;
