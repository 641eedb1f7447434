-- Settings of sites: docs/decisions/0043-site-settings.md. `touch_site` makes their changes changes of the site.

-- Settings that differ from the defaults. No row: none does.
create table site_customizations (
  site_id text primary key references sites on delete cascade,
  settings jsonb not null,
  version integer not null default 1
);

-- Settings that differ from those of the site.
create table site_space_customizations (
  site_space_id text primary key,
  site_id text not null,
  settings jsonb not null,
  version integer not null default 1,
  foreign key (site_id, site_space_id) references site_spaces (site_id, id) on delete cascade
);
create index site_space_customizations_of_site on site_space_customizations (site_id);

-- A destination is an object of the site, never a path: a redirect cannot lead to another redirect.
create table site_redirects (
  id text primary key,
  site_id text not null references sites on delete cascade,
  source text not null check (char_length(source) between 2 and 512),
  -- The decoded path in lower case: addresses are compared without case.
  source_key text not null,
  section_id text,
  site_space_id text,
  page_id text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  constraint site_redirects_source_unique unique (site_id, source_key),
  constraint site_redirects_destination check (
    num_nonnulls(section_id, site_space_id) = 1 and (page_id is null or site_space_id is not null)),
  foreign key (site_id, section_id) references site_sections (site_id, id) on delete cascade,
  foreign key (site_id, site_space_id) references site_spaces (site_id, id) on delete cascade
);
create index site_redirects_in_order on site_redirects (site_id, created_at, id);
create index site_redirects_to_section on site_redirects (section_id) where section_id is not null;
create index site_redirects_to_site_space on site_redirects (site_space_id) where site_space_id is not null;

-- The key that the tokens of visitors are signed with, encrypted with a key of the installation.
create table site_publishing_auth (
  site_id text primary key references sites on delete cascade,
  key_sealed bytea not null,
  backend text not null default 'custom' check (backend in ('custom', 'integration')),
  fallback_url text check (char_length(fallback_url) <= 2048),
  version integer not null default 0
);

-- `json` keeps the order of members, which people gave.
create table site_adaptive_schemas (
  site_id text primary key references sites on delete cascade,
  json_schema json not null,
  version integer not null default 1,
  updated_at timestamptz(3) not null default now()
);

create trigger touch_site after insert or update or delete on site_customizations
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on site_space_customizations
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on site_redirects
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on site_publishing_auth
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on site_adaptive_schemas
  for each row execute function touch_site();
