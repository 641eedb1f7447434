-- The text of comments, replies and change requests counts towards the quota of an organization, like that of pages.
-- Each row says in which store it is counted, so that what is subtracted later is what was added. Lengths are those of
-- the text, not of the stored value: PostgreSQL compresses a value at a moment of its own choice.
alter table comments add column store_id text;
alter table change_requests add column store_id text;
update comments t set store_id = s.store_id from spaces s where s.id = t.space_id;
update change_requests t set store_id = s.store_id from spaces s where s.id = t.space_id;
-- A table with pending checks of deferred constraints cannot be altered.
set constraints all immediate;
alter table comments
  alter column store_id set not null,
  add column text_bytes integer not null generated always as (octet_length(markdown)) stored;
alter table change_requests
  alter column store_id set not null,
  add column text_bytes integer not null generated always as (coalesce(octet_length(description::text), 0)) stored;

insert into storage_tallies (store_id, bytes)
  select store_id, sum(text_bytes) from (
    select store_id, text_bytes from comments union all select store_id, text_bytes from change_requests) stored
  group by store_id having sum(text_bytes) > 0;

-- Adds a difference, and refuses one that exceeds the quota. The sum of a store must stay cheap when thousands of
-- comments are posted within the minute in which the job folds: every hundredth row folds those that no one else is
-- folding. A repeatable read would fail on rows that were folded after its snapshot.
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

create trigger count_new after insert on comments
  referencing new table as changed for each statement execute function count_text();
create trigger count_gone after delete on comments
  referencing old table as changed for each statement execute function count_text();
create trigger count_changed after update of text_bytes, store_id on comments for each row
  when ((old.text_bytes, old.store_id) is distinct from (new.text_bytes, new.store_id))
  execute function count_changed_text();
create trigger count_new after insert on change_requests
  referencing new table as changed for each statement execute function count_text();
create trigger count_gone after delete on change_requests
  referencing old table as changed for each statement execute function count_text();
create trigger count_changed after update of text_bytes, store_id on change_requests for each row
  when ((old.text_bytes, old.store_id) is distinct from (new.text_bytes, new.store_id))
  execute function count_changed_text();

-- The text goes to the store that the content of its space goes to.
create function move_text() returns trigger language plpgsql as $$
begin
  update comments set store_id = new.store_id where space_id = new.id;
  update change_requests set store_id = new.store_id where space_id = new.id;
  return null;
end $$;
create trigger move_text after update of store_id on spaces for each row
  when (old.store_id <> new.store_id) execute function move_text();
