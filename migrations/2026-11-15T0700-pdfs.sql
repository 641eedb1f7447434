-- Documents that were typeset lately. Their bytes lie in file storage, and are collected like all that nobody holds.
create table pdfs (
  space_id text not null references spaces on delete cascade,
  revision_id text not null,
  -- Empty: all pages.
  page_id text not null,
  with_below boolean not null,
  hash text not null,
  size bigint not null,
  made_at timestamptz(3) not null default now(),
  primary key (space_id, revision_id, page_id, with_below)
);
create index pdfs_by_age on pdfs (made_at);
