-- Bytes that each store holds, as differences that are only ever added (as in space_tallies): an edit never waits for
-- the edit of another space. A job folds many rows of a store into one; the sum stays the same at every moment.
create table storage_tallies (
  id bigint generated always as identity primary key,
  store_id text not null,
  bytes bigint not null
);
create index storage_tallies_of_store on storage_tallies (store_id) include (bytes);

-- OCTAVO_ORG_STORAGE, written by the server at its start. Null: no limit.
alter table installation add column organization_storage bigint;

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

create trigger count_new after insert on stored_files
  referencing new table as changed for each statement execute function count_stored_bytes();
create trigger count_gone after delete on stored_files
  referencing old table as changed for each statement execute function count_stored_bytes();
create trigger count_new after insert on content_objects
  referencing new table as changed for each statement execute function count_stored_bytes();
create trigger count_gone after delete on content_objects
  referencing old table as changed for each statement execute function count_stored_bytes();

insert into storage_tallies (store_id, bytes)
  select store_id, sum(bytes) from (
    select store_id, size as bytes from stored_files
    union all select store_id, octet_length(bytes) from content_objects) stored
  group by store_id;
