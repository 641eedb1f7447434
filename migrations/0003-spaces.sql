-- Collections, spaces, their order in the tree of the organization, and access to them.

-- `path` has the ids of the collections around a collection and its own: what it inherits is found without recursion, and
-- a check excludes a collection inside itself.
create table collections (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  parent_id text,
  path text[] not null,
  title text not null check (char_length(title) <= 50),
  description text check (char_length(description) <= 100),
  -- False: `default_level` replaces the role of every member. Null gives no access.
  default_inherits boolean not null default true,
  default_level role,
  position text collate "C" not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  -- The positions of the collections around it and its own, joined by a character that sorts before all others: one
  -- index gives the order of the tree, in which the content of a collection follows it. A trigger sets it.
  place text collate "C" not null default '',
  unique (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id)
    deferrable initially deferred,
  constraint collections_depth check (cardinality(path) <= 8),
  constraint collections_way check (
    path[cardinality(path)] = id
    and not id = any(path[1:cardinality(path) - 1])
    and path[cardinality(path) - 1] is not distinct from parent_id)
);
create index collections_in_order on collections (organization_id, parent_id, position, id);
create index collections_in_tree on collections (organization_id, place, id);
create index collections_inside on collections using gin (path);
-- The content of a collection is searched by the collection alone when it moves, or is transferred.
create index collections_of_parent on collections (parent_id) where parent_id is not null;
create trigger announce after insert or update or delete on collections
  for each row execute function announce_change('organization=organization_id');

create table spaces (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  parent_id text,
  title text not null check (char_length(title) <= 50),
  emoji text not null default '' check (char_length(emoji) <= 50),
  icon text,
  language text,
  -- Null: private, or in-collection if it is in one.
  visibility text,
  edit_mode text not null default 'locked' check (edit_mode in ('live', 'locked')),
  -- As of collections.
  default_inherits boolean not null default true,
  default_level role,
  merge_rules jsonb not null default '{"type": "inherit"}',
  position text collate "C" not null,
  -- The primary revision.
  revision_id text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- Where its content is stored and counted.
  store_id text not null,
  -- The sequence number of the primary revision.
  sequence bigint not null default 1,
  place text collate "C" not null default '',
  -- The published site that shows it to most readers, and how. Only triggers write these two.
  site_visibility text,
  site_space_id text,
  -- The repository as the API shows it: `gitSync` of a space.
  git_sync jsonb,
  unique (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id)
    on delete set null (parent_id) deferrable initially deferred
);
create index spaces_of_organization on spaces (organization_id, created_at, id) where deleted_at is null;
create index spaces_in_order on spaces (organization_id, parent_id, position, id);
create index spaces_in_tree on spaces (organization_id, place, id) where deleted_at is null;
create index spaces_of_parent on spaces (parent_id) where parent_id is not null;
create index spaces_deleted on spaces (deleted_at) where deleted_at is not null;
create trigger announce after insert or delete on spaces
  for each row execute function announce_change('space=id');
-- A new place alone, because a collection around the space moved, changes nothing that is shown of it.
create trigger announce_update after update on spaces for each row
  when (old.place is not distinct from new.place or old.position <> new.position
    or old.parent_id is distinct from new.parent_id)
  execute function announce_change('space=id');

create function set_place() returns trigger language plpgsql as $$
begin
  new.place := concat_ws('/', (select c.place from collections c where c.id = new.parent_id), new.position);
  return new;
end $$;
create trigger set_place before insert or update of parent_id, position on collections
  for each row execute function set_place();
create trigger set_place before insert or update of parent_id, position on spaces
  for each row execute function set_place();

-- The content of a collection moves with it. The trigger runs again for each collection in it.
create function carry_places() returns trigger language plpgsql as $$
begin
  update collections set place = new.place || '/' || position where parent_id = new.id;
  update spaces set place = new.place || '/' || position where parent_id = new.id;
  return null;
end $$;
create trigger carry_places after update of parent_id, position, place on collections for each row
  when (old.place is distinct from new.place) execute function carry_places();

-- New positions for siblings, of which some are spaces and others collections. Called under the lock of their order.
create function set_positions(ids text[], positions text[]) returns void language plpgsql as $$
begin
  update spaces s set position = new.position from unnest(ids, positions) as new (id, position) where s.id = new.id;
  update collections c set position = new.position from unnest(ids, positions) as new (id, position) where c.id = new.id;
end $$;

-- Counts of a space, as differences that are only added: comments of one space do not wait for each other's row. A job
-- folds many rows of a space into one, which does not change their sum.
create table space_tallies (
  id bigint generated always as identity primary key,
  space_id text not null references spaces on delete cascade,
  comments integer not null default 0,
  change_requests integer not null default 0,
  change_requests_open integer not null default 0,
  change_requests_draft integer not null default 0,
  comments_resolved integer not null default 0
);
create index space_tallies_of_space on space_tallies (space_id)
  include (comments, comments_resolved, change_requests, change_requests_open, change_requests_draft);

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

-- Roles on a space, collection or site beyond its default: one for each user or team.
create table grants (
  id text primary key,
  organization_id text not null,
  space_id text,
  collection_id text,
  user_id text,
  team_id text,
  role role not null,
  created_at timestamptz(3) not null default now(),
  site_id text,
  -- An object can have thousands of grants. With one column for both kinds of grantees, an index of the object finds
  -- those of a user and their teams.
  grantee_id text not null generated always as (coalesce(user_id, team_id)) stored,
  foreign key (organization_id, space_id) references spaces (organization_id, id)
    on delete cascade on update cascade deferrable initially deferred,
  foreign key (organization_id, collection_id) references collections (organization_id, id)
    on delete cascade on update cascade deferrable initially deferred,
  foreign key (organization_id, user_id) references members on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  check (num_nonnulls(space_id, collection_id, site_id) = 1 and num_nonnulls(user_id, team_id) = 1),
  constraint grants_unique unique nulls not distinct (space_id, collection_id, site_id, user_id, team_id)
);
create index grants_of_user on grants (organization_id, user_id) where user_id is not null;
create index grants_of_team on grants (organization_id, team_id) where team_id is not null;
create index grants_on_space on grants (space_id, grantee_id) where space_id is not null;
create index grants_on_collection on grants (collection_id, grantee_id) where collection_id is not null;
create index grants_on_site on grants (site_id) where site_id is not null;
create trigger announce after insert or update or delete on grants
  for each row execute function announce_change('organization=organization_id');

-- An invitation by e-mail is valid once, for the person who opens its link; an invite link, for everyone who has it.
-- With a space or collection, `role` is the role there. Every invitation expires, and ends when its creator leaves.
create table invites (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  kind text not null check (kind in ('email', 'link')),
  email text check (email = lower(email)),
  role role,
  secret_hash bytea constraint invites_secret_unique unique,
  invited_by text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  space_id text references spaces on delete cascade,
  collection_id text references collections on delete cascade,
  -- Only the mail server was told the secret of the link, so opening it proves the address.
  is_mailed boolean not null default false,
  -- The invite link on whose page the mail was requested.
  link_id text references invites on delete cascade,
  constraint invites_by_member foreign key (organization_id, invited_by) references members on delete cascade,
  constraint invites_into_one check (num_nonnulls(space_id, collection_id) <= 1),
  check ((kind = 'email') = (email is not null))
);
create index invites_of_organization on invites (organization_id, kind, created_at, id);
create unique index invites_open_by_email on invites (organization_id, email) where kind = 'email' and accepted_at is null;
create index invites_by_creator on invites (organization_id, invited_by);
create index invites_by_link on invites (link_id) where link_id is not null;
create index invites_into_space on invites (space_id) where space_id is not null;
create index invites_into_collection on invites (collection_id) where collection_id is not null;

-- The new organization did not invite anyone into a transferred space or collection.
create function void_invites() returns trigger language plpgsql as $$
begin
  delete from invites where space_id = new.id or collection_id = new.id;
  return null;
end $$;
create trigger void_invites after update of organization_id on spaces for each row
  when (old.organization_id is distinct from new.organization_id) execute function void_invites();
create trigger void_invites after update of organization_id on collections for each row
  when (old.organization_id is distinct from new.organization_id) execute function void_invites();

-- With an open invitation to their address, removed members could come back.
create function delete_invites_of_member() returns trigger language plpgsql as $$
begin
  delete from invites i using users u
  where u.id = old.user_id and u.email_proven_at is not null
    and i.organization_id = old.organization_id and i.email = u.email and i.accepted_at is null;
  return null;
end $$;
create trigger delete_invites after delete on members
  for each row execute function delete_invites_of_member();

-- Invitations mailed within the hour that begins with the first of them, for each inviting user and each organization.
-- One row for each, so that concurrent requests are counted one after another.
create table invitation_mails (
  kind text not null check (kind in ('organization', 'user')),
  id text not null,
  mails integer not null,
  hour_ends timestamptz(3) not null,
  primary key (kind, id)
);
