-- Requested hostnames whose TXT record is looked up again. A table of its own: each check would otherwise be a change of the site.
create table custom_hostname_checks (
  custom_hostname_id text primary key references custom_hostnames on delete cascade,
  checks integer not null default 0,
  next_at timestamptz(3) not null default now()
);
create index custom_hostname_checks_due on custom_hostname_checks (next_at);

-- Hostnames that are not active because another one replaced them are not pending.
insert into custom_hostname_checks (custom_hostname_id)
select h.id from custom_hostnames h
where h.proven_by is null and h.created_at > now() - interval '30 days'
  and not exists (select from custom_hostnames a where a.site_id = h.site_id and a.proven_by is not null);
