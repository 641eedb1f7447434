-- Revisions of spaces, and what is derived from them.

create table revisions (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  parents text[] not null default '{}',
  type text not null check (type in ('edits', 'merge', 'rollback', 'update', 'computed')),
  -- The root of the map of its content. Null: it is empty.
  root bytea,
  author_id text references users on delete set null,
  git jsonb,
  -- Of a merge: the change request at that time, for responses.
  merged_from jsonb,
  -- Numbers the revisions that were primary, which are the history of the space.
  sequence bigint,
  created_at timestamptz(3) not null default now(),
  unique (space_id, id),
  unique (space_id, sequence)
);
create index revisions_of_author on revisions (author_id) where author_id is not null;

-- A space and its first revision refer to each other.
alter table spaces add constraint spaces_revision foreign key (id, revision_id) references revisions (space_id, id)
  deferrable initially deferred;

-- Addresses that pages had: docs/decisions/0045-serving-sites.md. Each publication writes one row for each page that was
-- renamed or moved: the pages below it are found through it, also after it was deleted. Several pages may have had one
-- place after another: all are stored, because the last one that still exists is wanted. A page that was there several
-- times has one row, from its first time to its last.
create table former_slugs (
  space_id text not null references spaces on delete cascade,
  -- The page above it at that time; empty at the root.
  parent_id text not null,
  -- Folded as the slugs of the tree are.
  slug text not null,
  page_id text not null,
  since timestamptz not null default '-infinity',
  until timestamptz not null default clock_timestamp(),
  primary key (space_id, parent_id, slug, page_id)
);
create index former_slugs_by_page on former_slugs (space_id, page_id, until);

-- Documents that were typeset recently. Their bytes are in file storage, and collected like other unreferenced files. The
-- title and language of the space are part of a document: if they changed, it is typeset again.
create table pdfs (
  space_id text not null references spaces on delete cascade,
  revision_id text not null,
  -- Empty: all pages.
  page_id text not null,
  with_below boolean not null,
  hash text not null,
  size bigint not null,
  made_at timestamptz(3) not null default now(),
  title text not null,
  language text,
  primary key (space_id, revision_id, page_id, with_below)
);
create index pdfs_by_age on pdfs (made_at);
