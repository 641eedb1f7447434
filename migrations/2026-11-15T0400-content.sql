-- Content is immutable and addressed by its hash inside a store; the spaces of an organization share one store, so that
-- a duplicate writes nothing. Documents (Markdown) and the nodes of the maps that revisions hold are objects alike.
create table content_objects (
  store_id text not null,
  hash bytea not null,
  -- Compressed by the program (raw deflate), which knows best when that pays.
  bytes bytea not null,
  -- When it was last written: what nobody refers to is collected when it is old, and being written makes it new.
  written_at timestamptz(0) not null default now(),
  primary key (store_id, hash)
);
alter table content_objects alter column bytes set storage external;

-- The bytes of files lie in file storage; here is which store has which, so that they can be collected.
create table stored_files (
  hash text not null,
  store_id text not null,
  size bigint not null,
  written_at timestamptz(0) not null default now(),
  primary key (hash, store_id)
);

create table revisions (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  parents text[] not null default '{}',
  type text not null check (type in ('edits', 'merge', 'rollback', 'update', 'computed')),
  -- The root of the map of everything the revision holds; null: nothing.
  root bytea,
  author_id text references users on delete set null,
  git jsonb,
  -- Of a merge: the change request as it was then, for the answers.
  merged_from jsonb,
  -- Those that were the primary content of the space form its history, one after another.
  sequence bigint,
  created_at timestamptz(3) not null default now(),
  unique (space_id, id),
  unique (space_id, sequence)
);
create index revisions_of_author on revisions (author_id) where author_id is not null;

alter table spaces add column store_id text, add column sequence bigint not null default 1;
update spaces set store_id = organization_id;
alter table spaces alter column store_id set not null;
-- Copies shared the revision of their original, which held nothing.
update spaces s set revision_id = s.id || 'r'
  where exists (select from spaces o where o.revision_id = s.revision_id and o.id < s.id);
insert into revisions (id, space_id, type, sequence, created_at)
  select revision_id, id, 'edits', 1, created_at from spaces;
alter table spaces add constraint spaces_revision foreign key (id, revision_id) references revisions (space_id, id)
  deferrable initially deferred;

-- Uploads that wait to be used, by a key that only their uploader was given.
create table uploads (
  key text primary key,
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  name text not null,
  content_type text not null,
  size bigint not null,
  hash text,
  created_at timestamptz(3) not null default now()
);
create index uploads_by_age on uploads (created_at);
create index uploads_by_hash on uploads (hash) where hash is not null;
