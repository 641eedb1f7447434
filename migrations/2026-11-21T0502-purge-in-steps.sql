-- Deletes a deleted space permanently, or, of a large one, some of its rows: a statement that deletes everything can
-- exceed the time limit. True: it is gone. False: call it again. Null: it is not due.
create function purge_space(purged text, retention interval, most integer) returns boolean language plpgsql as $$
declare
  deleted integer;
  indexed text;
begin
  perform from spaces where id = purged and deleted_at <= now() - retention for update;
  if not found then return null; end if;
  -- Replies first: those of one comment can be many.
  delete from comments where id in (
    select id from comments where space_id = purged and parent_id is not null limit most);
  get diagnostics deleted = row_count;
  if deleted < most then
    delete from comments where id in (
      select id from comments where space_id = purged and parent_id is null limit most);
    get diagnostics deleted = row_count;
  end if;
  if deleted < most then
    delete from change_requests where id in (select id from change_requests where space_id = purged limit most);
    get diagnostics deleted = row_count;
  end if;
  if deleted < most then
    delete from revisions where id in (
      select r.id from revisions r join spaces s on s.id = r.space_id
      where s.id = purged and r.id <> s.revision_id limit most);
    get diagnostics deleted = row_count;
  end if;
  -- The indexes of links and of the search, which have more rows than the content.
  foreach indexed in array array['links', 'link_targets', 'link_entries', 'search_pages', 'search_blocks'] loop
    exit when deleted >= most;
    execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where space_id = $1 limit $2))', indexed)
      using purged, most;
    get diagnostics deleted = row_count;
  end loop;
  if deleted < most then
    delete from spaces where id = purged;
    return true;
  end if;
  -- A restoration that began before the period ended must not restore a part of it.
  update spaces set deleted_at = 'epoch' where id = purged and deleted_at > 'epoch';
  return false;
end $$;
