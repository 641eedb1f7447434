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

-- `json` keeps the order of the members.
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

-- Hostnames that sites ask for. Several sites may ask for one hostname: only a site that proves it has it.
create table custom_hostnames (
  id text primary key,
  site_id text not null references sites on delete cascade,
  hostname text not null check (hostname = lower(hostname) and char_length(hostname) <= 253),
  -- Proven by a TXT record, or by the operator of the installation. Null: not proven.
  proven_by text check (proven_by in ('dns', 'operator')),
  -- The result of the last check.
  status text not null default 'dns_no_cname',
  checked_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (site_id, hostname)
);
create index custom_hostnames_by_name on custom_hostnames (hostname);
-- A hostname leads to one site, and a site has one hostname.
create unique index custom_hostnames_active_unique on custom_hostnames (hostname) where proven_by is not null;
create unique index custom_hostnames_one_per_site on custom_hostnames (site_id) where proven_by is not null;

-- `sites.hostname` is what pages are served by; only this trigger writes it.
create function set_site_hostname() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update sites set hostname = null where id = old.site_id and hostname = old.hostname
      and (tg_op = 'DELETE' or new.proven_by is null);
  end if;
  if tg_op <> 'DELETE' and new.proven_by is not null then
    update sites set hostname = new.hostname where id = new.site_id and hostname is distinct from new.hostname;
  end if;
  return null;
end $$;
create trigger set_hostname after insert or update or delete on custom_hostnames
  for each row execute function set_site_hostname();
create trigger touch_site after insert or update or delete on custom_hostnames
  for each row execute function touch_site();

-- Requested hostnames whose TXT record is looked up again. A table of its own: each check would otherwise be a change of the site.
create table custom_hostname_checks (
  custom_hostname_id text primary key references custom_hostnames on delete cascade,
  checks integer not null default 0,
  next_at timestamptz not null default now()
);
create index custom_hostname_checks_due on custom_hostname_checks (next_at);

-- Webhooks of programs that cache pages of a site, and the changes to send to them.
create table site_revalidations (
  site_id text primary key references sites on delete cascade,
  url text not null check (char_length(url) <= 2048),
  secret_sealed bytea not null,
  -- Cache tags of changes that were not delivered yet.
  pending text[] not null default '{}',
  -- Counts the changes: a delivery ends only those that it sent.
  changes bigint not null default 0,
  -- Failed deliveries of the pending tags, in a row.
  failures integer not null default 0,
  -- The last attempt: the status of the response, or why there was none.
  attempted_at timestamptz(3),
  status integer,
  error text,
  -- For If-Match.
  version integer not null default 1
);

-- Events of the transaction that changes what a site shows. Sites without a hook and sites that are not published have none.
create function record_change_of_site() returns trigger language plpgsql as $$
declare recorded text := coalesce(current_setting('octavo.recorded_sites', true), '');
begin
  -- Once in a transaction: a request may change a thousand redirects of a site.
  if position(' ' || new.id || ' ' in recorded) > 0
    or not exists (select from site_revalidations where site_id = new.id) then return null; end if;
  perform set_config('octavo.recorded_sites', recorded || ' ' || new.id || ' ', true);
  insert into events (organization_id, type, data)
  values (new.organization_id, 'site_changed', jsonb_build_object('siteId', new.id));
  return null;
end $$;
create trigger record_change after update on sites for each row
  when (old.published_at is not null or new.published_at is not null)
  execute function record_change_of_site();

create function record_change_of_sites() returns trigger language plpgsql as $$
begin
  insert into events (organization_id, space_id, type, data)
  select t.organization_id, new.id, 'site_changed', jsonb_build_object('siteId', t.id)
  from site_revalidations h join sites t on t.id = h.site_id
  where t.published_at is not null and h.site_id in (
    select v.site_id from site_spaces v where v.space_id = new.id and not v.space_deleted);
  return null;
end $$;
create trigger record_change_of_sites after update on spaces for each row
  when (old.revision_id is distinct from new.revision_id or old.title <> new.title or old.emoji <> new.emoji
    or old.icon is distinct from new.icon or old.language is distinct from new.language)
  execute function record_change_of_sites();
