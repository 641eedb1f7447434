-- A collection knows the whole way down to it, so that what is inherited is found without walking, and the way itself
-- proves that nothing is inside itself.
create table collections (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  parent_id text,
  path text[] not null,
  title text not null check (char_length(title) <= 50),
  description text check (char_length(description) <= 100),
  -- A role set here replaces that of every member; null gives nothing; inheriting asks above.
  default_inherits boolean not null default true,
  default_level role,
  position text collate "C" not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id)
    deferrable initially deferred,
  constraint collections_depth check (cardinality(path) <= 8),
  constraint collections_way check (
    path[cardinality(path)] = id
    and not id = any(path[1:cardinality(path) - 1])
    and path[cardinality(path) - 1] is not distinct from parent_id)
);
create index collections_of_organization on collections (organization_id, created_at, id);
create index collections_in_order on collections (organization_id, parent_id, position, id);
create index collections_inside on collections using gin (path);
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
  -- Null: as its place has it, private or in-collection.
  visibility text,
  edit_mode text not null default 'locked' check (edit_mode in ('live', 'locked')),
  default_inherits boolean not null default true,
  default_level role,
  merge_rules jsonb not null default '{"type": "inherit"}',
  position text collate "C" not null,
  revision_id text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, parent_id) references collections (organization_id, id)
    on delete set null (parent_id) deferrable initially deferred
);
create index spaces_of_organization on spaces (organization_id, created_at, id) where deleted_at is null;
create index spaces_in_order on spaces (organization_id, parent_id, position, id);
create index spaces_deleted on spaces (deleted_at) where deleted_at is not null;
create trigger announce after insert or update or delete on spaces
  for each row execute function announce_change('space=id');

-- Who may do what on a space or collection beyond its default: one role for a person or a team.
create table grants (
  id text primary key,
  organization_id text not null,
  space_id text,
  collection_id text,
  user_id text,
  team_id text,
  role role not null,
  created_at timestamptz(3) not null default now(),
  foreign key (organization_id, space_id) references spaces (organization_id, id)
    on delete cascade on update cascade deferrable initially deferred,
  foreign key (organization_id, collection_id) references collections (organization_id, id)
    on delete cascade on update cascade deferrable initially deferred,
  foreign key (organization_id, user_id) references members on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  check (num_nonnulls(space_id, collection_id) = 1 and num_nonnulls(user_id, team_id) = 1),
  unique nulls not distinct (space_id, collection_id, user_id, team_id)
);
create index grants_of_user on grants (organization_id, user_id) where user_id is not null;
create index grants_of_team on grants (organization_id, team_id) where team_id is not null;
create index grants_on_space on grants (space_id) where space_id is not null;
create index grants_on_collection on grants (collection_id) where collection_id is not null;
create trigger announce after insert or update or delete on grants
  for each row execute function announce_change('organization=organization_id');

-- What is counted on a space, as differences that are only ever added: no comment waits for another one's row. A job
-- folds many rows of a space into one; the sum stays the same at every moment.
create table space_tallies (
  id bigint generated always as identity primary key,
  space_id text not null references spaces on delete cascade,
  comments integer not null default 0,
  change_requests integer not null default 0,
  change_requests_open integer not null default 0,
  change_requests_draft integer not null default 0
);
create index space_tallies_of_space on space_tallies (space_id)
  include (comments, change_requests, change_requests_open, change_requests_draft);

-- Invite links can lead into one space or collection: `role` is then the role there. What changes hands voids them.
alter table invites
  add column space_id text references spaces on delete cascade,
  add column collection_id text references collections on delete cascade,
  add constraint invites_into_one check (num_nonnulls(space_id, collection_id) <= 1);

create function void_invites() returns trigger language plpgsql as $$
begin
  delete from invites where space_id = new.id or collection_id = new.id;
  return null;
end $$;
create trigger void_invites after update of organization_id on spaces for each row
  when (old.organization_id is distinct from new.organization_id) execute function void_invites();
create trigger void_invites after update of organization_id on collections for each row
  when (old.organization_id is distinct from new.organization_id) execute function void_invites();
