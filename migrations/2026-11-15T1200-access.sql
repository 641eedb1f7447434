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

-- The positions of the collections in `path`: spaces and collections of an organization are listed in tree order
-- without walking up.
alter table collections add column places text[] collate "C";
update collections c set places = (
  select array_agg(a.position order by cardinality(a.path)) from collections a where a.id = any(c.path));
alter table collections
  alter column places set not null,
  add constraint collections_places check (
    cardinality(places) = cardinality(path) and places[cardinality(places)] = position);
