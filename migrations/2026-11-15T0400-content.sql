-- Content is immutable and addressed by its SHA-256 inside a store; an organization's spaces share one store, so that a
-- duplicate writes nothing. Documents (Markdown) and the nodes of the maps that revisions hold are objects alike.
create table content_objects (
  store_id text not null,
  hash bytea not null,
  -- Compressed by the program (raw deflate), which knows best when that pays.
  bytes bytea not null,
  created_at timestamptz(0) not null default now(),
  primary key (store_id, hash)
);
alter table content_objects alter column bytes set storage external;

-- Bytes of files lie in file storage, by the same kind of hash; here is who refers to them.
create table stored_files (
  store_id text not null,
  hash text not null,
  size bigint not null,
  content_type text not null,
  created_at timestamptz(0) not null default now(),
  primary key (store_id, hash)
);
create index stored_files_by_hash on stored_files (hash);

create table revisions (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  parents text[] not null default '{}',
  type text not null check (type in ('edits', 'merge', 'rollback', 'update', 'computed')),
  -- The root of the map of everything the revision holds; null: nothing.
  root bytea,
  author_id text references users on delete set null,
  git jsonb,
  -- Revisions of the space's primary content form its history, one after another.
  sequence bigint,
  created_at timestamptz(3) not null default now(),
  unique (space_id, id),
  unique (space_id, sequence)
);

alter table spaces add column store_id text, add column last_sequence bigint not null default 1;
update spaces set store_id = organization_id;
alter table spaces alter column store_id set not null;
insert into revisions (id, space_id, type, sequence, created_at)
  select revision_id, id, 'edits', 1, created_at from spaces;

-- Uploads that wait to be used, by a key that only their uploader knows.
create table uploads (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  kind text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  hash text,
  created_at timestamptz(3) not null default now()
);
create index uploads_by_age on uploads (created_at);
