-- A credential belongs to the organization that entered it. Replaced, because some databases have the trigger already.
create or replace function disconnect_transferred() returns trigger language plpgsql as $$
begin
  delete from git_connections where space_id = new.id;
  update git_operations set state = 'failure', completed_at = now(), credential = null,
    error = 'The space was transferred to another organization. Start the operation again.'
  where space_id = new.id and state in ('queued', 'running');
  return null;
end $$;
create or replace trigger disconnect_transferred after update of organization_id on spaces for each row
  when (old.organization_id <> new.organization_id) execute function disconnect_transferred();
