-- Content objects, files and uploads, and the storage quota of organizations.

-- Bytes that each store holds, as differences that are only added (as in space_tallies): an edit never waits for the
-- edit of another space.
create table storage_tallies (
  id bigint generated always as identity primary key,
  store_id text not null,
  bytes bigint not null
);
create index storage_tallies_of_store on storage_tallies (store_id) include (bytes);

-- Refuses `more` bytes that would exceed the quota. Text may exceed it by a tenth, so that an organization whose files
-- fill its quota can still correct its pages. The SQLSTATE is OV and the HTTP status.
create function require_storage(store text, more bigint, headroom numeric) returns void language plpgsql as $$
declare
  quota bigint := (select organization_storage from installation);
  used bigint;
begin
  if quota is null or current_setting('octavo.storage_quota', true) = 'off' then
    return;
  end if;
  used := (select coalesce(sum(bytes), 0) from storage_tallies where store_id = store);
  if used + more > quota * headroom then
    raise exception using errcode = 'OV413', message = format(
      'The storage of this organization is full: %s of %s are used%s. Delete spaces that are no longer needed (their storage is freed when they can no longer be restored), or ask the operator to raise OCTAVO_ORG_STORAGE.',
      pg_size_pretty(used), pg_size_pretty(quota),
      case when more > 0 then format(', and this needs %s', pg_size_pretty(more)) else '' end);
  end if;
end $$;

-- Counts and limits in one place, so that no statement that stores bytes can leave it out. Files are decided one after
-- another per store, which makes their limit exact; text is not, so that edits do not wait for one another.
create function count_stored_bytes() returns trigger language plpgsql as $$
declare
  is_file boolean := tg_table_name = 'stored_files';
  sign integer := case tg_op when 'DELETE' then -1 else 1 end;
  store text;
begin
  if is_file then
    insert into storage_tallies (store_id, bytes)
      select store_id, sign * sum(size) from changed group by store_id;
  else
    insert into storage_tallies (store_id, bytes)
      select store_id, sign * sum(octet_length(bytes)) from changed group by store_id;
  end if;
  if tg_op = 'INSERT' then
    for store in select distinct store_id from changed order by 1 loop
      if is_file then
        perform pg_advisory_xact_lock(hashtextextended('storage ' || store, 44));
      end if;
      perform require_storage(store, 0, case when is_file then 1 else 1.1 end);
    end loop;
  end if;
  return null;
end $$;

-- The text of comments, replies and change requests counts towards the quota, too. Each row has the store in which it is
-- counted, so that what is subtracted later is what was added. Lengths are those of the text, not of the stored value:
-- PostgreSQL compresses a value at a moment of its own choice.

-- Adds a difference, and refuses one that exceeds the quota. The sum of a store must stay cheap when thousands of
-- comments are posted within the minute in which the job folds: every hundredth row folds those that no other
-- transaction is folding. A repeatable read would fail on rows that were folded after its snapshot.
create function count_text_bytes(store text, difference bigint) returns void language plpgsql as $$
declare
  tally bigint;
begin
  insert into storage_tallies (store_id, bytes) values (store, difference) returning id into tally;
  if tally % 100 = 0 and current_setting('transaction_isolation') = 'read committed' then
    with free as (
      select id from storage_tallies where store_id = store for update skip locked
    ), folded as (
      delete from storage_tallies t using free where t.id = free.id returning t.bytes
    )
    insert into storage_tallies (store_id, bytes) select store, sum(bytes) from folded;
  end if;
  if difference > 0 then
    perform require_storage(store, 0, 1.1);
  end if;
end $$;

create function count_text() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  perform count_text_bytes(store_id, sign * bytes)
    from (select store_id, sum(text_bytes) as bytes from changed group by store_id) stored
    where bytes > 0 order by store_id;
  return null;
end $$;

create function count_changed_text() returns trigger language plpgsql as $$
begin
  if new.store_id = old.store_id then
    perform count_text_bytes(new.store_id, new.text_bytes - old.text_bytes);
  else
    perform count_text_bytes(old.store_id, -old.text_bytes);
    perform count_text_bytes(new.store_id, new.text_bytes);
  end if;
  return null;
end $$;

-- The text goes to the store that the content of its space goes to.
create function move_text() returns trigger language plpgsql as $$
begin
  update comments set store_id = new.store_id where space_id = new.id;
  update change_requests set store_id = new.store_id where space_id = new.id;
  return null;
end $$;
create trigger move_text after update of store_id on spaces for each row
  when (old.store_id <> new.store_id) execute function move_text();

-- Content is immutable and addressed by its hash within a store. The spaces of an organization share one store, so that
-- a duplicate writes nothing. Documents (Markdown) and the nodes of the maps of revisions are objects alike.
create table content_objects (
  store_id text not null,
  hash bytea not null,
  -- Compressed by the program (raw deflate), which knows when that pays.
  bytes bytea not null,
  -- Renewed when it is written again: an unreferenced object is collected when this is old.
  written_at timestamptz(0) not null default now(),
  primary key (store_id, hash)
);
alter table content_objects alter column bytes set storage external;
create trigger count_new after insert on content_objects
  referencing new table as changed for each statement execute function count_stored_bytes();
create trigger count_gone after delete on content_objects
  referencing old table as changed for each statement execute function count_stored_bytes();

-- Which store has which file. The bytes are in file storage; unreferenced ones are collected.
create table stored_files (
  hash text not null,
  store_id text not null,
  size bigint not null,
  written_at timestamptz(0) not null default now(),
  primary key (hash, store_id)
);
create trigger count_new after insert on stored_files
  referencing new table as changed for each statement execute function count_stored_bytes();
create trigger count_gone after delete on stored_files
  referencing old table as changed for each statement execute function count_stored_bytes();

-- Uploads that wait to be used. Only their uploader was given the key.
create table uploads (
  key text primary key,
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  name text not null,
  content_type text not null,
  size bigint not null,
  hash text,
  created_at timestamptz(3) not null default now()
);
create index uploads_by_age on uploads (created_at);
create index uploads_by_hash on uploads (hash) where hash is not null;
