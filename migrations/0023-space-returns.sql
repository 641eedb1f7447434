-- What a space shows of its organization may be another after a restore or a transfer: no events of the organization
-- reached it meanwhile.
create function record_space_return() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then return null; end if;
  insert into events (organization_id, space_id, type, data)
  values (new.organization_id, new.id,
    case when new.organization_id <> old.organization_id then 'space_transferred' else 'space_restored' end, '{}');
  return null;
end $$;
create trigger record_return after update of organization_id, deleted_at on spaces for each row
  when (new.organization_id <> old.organization_id or (old.deleted_at is not null and new.deleted_at is null))
  execute function record_space_return();
