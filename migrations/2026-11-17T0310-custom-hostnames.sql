-- Hostnames that sites ask for. Several sites may ask for one hostname: only a site that proves it has it.
create table custom_hostnames (
  id text primary key,
  site_id text not null references sites on delete cascade,
  hostname text not null check (hostname = lower(hostname) and char_length(hostname) <= 253),
  -- By whom it was proven: a TXT record, or the operator of the installation. Null: not proven.
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
