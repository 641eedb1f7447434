-- An address belongs to the one account that proved it. Others may only claim it: they do not block the owner, and
-- nothing trusts them.
alter table users drop constraint users_email_unique;
create unique index users_proven_email_unique on users (email) where email_proven_at is not null;

-- `is_mailed`: the secret of the link was told to the mail server alone, so opening it proves the address.
-- `link_id`: the invite link on whose page the mail was requested; it is void with the link.
alter table invites
  add column is_mailed boolean not null default false,
  add column link_id text references invites on delete cascade;
create index invites_by_link on invites (link_id) where link_id is not null;

-- Every invitation has a creator who is a member, and goes with them. Every invitation expires.
delete from invites i where not exists (
  select from members m where m.organization_id = i.organization_id and m.user_id = i.invited_by);
update invites set expires_at = now() + interval '30 days' where expires_at is null;
alter table invites
  alter column invited_by set not null,
  alter column expires_at set not null,
  drop constraint invites_invited_by_fkey,
  add constraint invites_by_member foreign key (organization_id, invited_by) references members on delete cascade;
create index invites_by_creator on invites (organization_id, invited_by);

-- Where a space or collection is in the tree of its organization: the positions of the collections around it and its own,
-- joined by a character that sorts before all others. So one index gives the order of the tree, in which what is in a
-- collection follows it.
alter table collections add column place text collate "C";
alter table spaces add column place text collate "C";
update collections c set place = (
  select string_agg(a.position, '/' order by cardinality(a.path)) from collections a where a.id = any(c.path));
update spaces s set place = concat_ws('/', (select c.place from collections c where c.id = s.parent_id), s.position);
-- The default is what writers leave out; the trigger below replaces it.
alter table collections alter column place set not null, alter column place set default '';
alter table spaces alter column place set not null, alter column place set default '';
create index collections_in_tree on collections (organization_id, place, id);
create index spaces_in_tree on spaces (organization_id, place, id) where deleted_at is null;
drop index collections_of_organization;

create function set_place() returns trigger language plpgsql as $$
begin
  new.place := concat_ws('/', (select c.place from collections c where c.id = new.parent_id), new.position);
  return new;
end $$;
create trigger set_place before insert or update of parent_id, position on collections
  for each row execute function set_place();
create trigger set_place before insert or update of parent_id, position on spaces
  for each row execute function set_place();

-- What is in a collection moves with it; each collection in it does the same for what is in that one.
create function carry_places() returns trigger language plpgsql as $$
begin
  update collections set place = new.place || '/' || position where parent_id = new.id;
  update spaces set place = new.place || '/' || position where parent_id = new.id;
  return null;
end $$;
create trigger carry_places after update of parent_id, position, place on collections for each row
  when (old.place is distinct from new.place) execute function carry_places();

-- That a space was carried along changes nothing that is shown of it.
drop trigger announce on spaces;
create trigger announce after insert or delete on spaces
  for each row execute function announce_change('space=id');
create trigger announce_update after update on spaces for each row
  when (old.place is not distinct from new.place or old.position <> new.position
    or old.parent_id is distinct from new.parent_id)
  execute function announce_change('space=id');
