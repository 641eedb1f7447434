-- Open invitations to the address of a removed member are deleted: with one, the member could come back.
create function delete_invites_of_member() returns trigger language plpgsql as $$
begin
  delete from invites i using users u
  where u.id = old.user_id and u.email_proven_at is not null
    and i.organization_id = old.organization_id and i.email = u.email and i.accepted_at is null;
  return null;
end $$;
create trigger delete_invites after delete on members
  for each row execute function delete_invites_of_member();
