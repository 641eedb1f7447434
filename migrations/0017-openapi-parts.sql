-- What the latest version of a specification shows: one row for each operation, webhook and schema, replaced with each version.
create table openapi_spec_parts (
  spec_id text not null references openapi_specs on delete cascade,
  -- In the order of the specification.
  position integer not null,
  kind text not null check (kind in ('info', 'operation', 'webhook', 'schema')),
  -- `get /pets/{id}`, `post newPet` (a webhook), `Pet` (a schema), or empty.
  name text not null,
  operation_id text,
  title text not null,
  description text,
  tags text[] not null default '{}',
  deprecated boolean not null default false,
  -- JSON, compressed by gzip.
  view bytea not null,
  primary key (spec_id, kind, name)
);

-- The version that the parts are of. Null: they are not made yet.
alter table openapi_specs add column shown_version_id text;

-- Pages of sites show the parts. They name a specification by its slug, or by its URL.
create trigger announce after update of shown_version_id, slug, source_url or delete on openapi_specs
  for each row execute function announce_change('organization=organization_id');

-- The next reading makes the parts of versions that were read before.
update openapi_specs set etag = null, last_modified = null, next_read_at = now();
