-- A job reads the source when `next_read_at` has passed. While it does, that is the end of its lease: if its process ends,
-- another job reads the source then.
create table openapi_specs (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  source_url text,
  source_text text,
  -- Increased with every new source: a job that has read an earlier one writes nothing.
  source_number integer not null default 1,
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  processing_state text not null default 'pending' check (processing_state in ('pending', 'progress', 'complete')),
  last_processed_at timestamptz(3),
  error_code text check (error_code in ('FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR')),
  errors jsonb,
  -- Of the last response of the URL, for conditional requests.
  etag text,
  last_modified text,
  failures integer not null default 0,
  -- Not rounded to milliseconds, which may be later than now.
  next_read_at timestamptz default now(),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (organization_id, slug),
  check ((source_url is null) <> (source_text is null))
);
create index openapi_specs_due on openapi_specs (next_read_at) where next_read_at is not null;

create table openapi_spec_versions (
  id text primary key,
  spec_id text not null references openapi_specs on delete cascade,
  -- Versions of one specification in their order.
  number integer not null,
  hash bytea not null,
  -- JSON, compressed by gzip: one document with all files that the specification refers to.
  document bytea not null,
  created_at timestamptz(3) not null default now(),
  unique (spec_id, number)
);
