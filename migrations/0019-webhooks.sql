-- Subscriptions to events of an organization, of one of its spaces or of one of its sites, and what was sent to them.
create table webhooks (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  -- Its target. Neither: the organization.
  space_id text references spaces on delete cascade,
  site_id text references sites on delete cascade,
  url text not null check (char_length(url) <= 2048),
  description text,
  -- Null: all types, also those of later versions.
  event_types text[],
  enabled boolean not null default true,
  -- Why the server disabled it.
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'responsible-lost-access')),
  secret_sealed bytea not null,
  -- Signs beside the secret for a day after its rotation.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  -- Receives nothing that this user may not view. Null: the account was deleted.
  responsible_id text references users on delete set null,
  -- Failed attempts since the last success: their number, and the time of the first.
  failures integer not null default 0,
  failing_since timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (space_id is null or site_id is null),
  check (disabled_reason is null or not enabled)
);
create index webhooks_of_organization on webhooks (organization_id, created_at, id);
create index webhooks_of_space on webhooks (space_id) where space_id is not null;
create index webhooks_of_site on webhooks (site_id) where site_id is not null;

-- An event for a subscription: the message to send, and the log of its attempts. Messages are composed when they are sent.
create table webhook_deliveries (
  id text primary key,
  webhook_id text not null references webhooks on delete cascade,
  -- The order of the events.
  number bigint generated always as identity,
  -- Deliveries about one resource are sent in their order: `space:<id>`, `site:<id>`.
  resource text not null,
  type text not null,
  space_id text,
  data jsonb not null,
  occurred_at timestamptz(3) not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'withheld')),
  -- Failed attempts since it was created or replayed.
  failures integer not null default 0,
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null default now()
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, resource, number) where status = 'pending';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, number);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- The pending deliveries of a subscription about one resource: a job takes all of them, and sends one at a time.
create table webhook_lanes (
  webhook_id text not null references webhooks on delete cascade,
  resource text not null,
  due_at timestamptz not null default now(),
  -- Until then, the job that has claimed it delivers. If its process ends, another job takes over.
  lease_until timestamptz,
  -- Counts the claims: a job that lost its lease changes nothing.
  claim integer not null default 0,
  primary key (webhook_id, resource)
);
create index webhook_lanes_due on webhook_lanes (due_at);

-- Subscriptions belong to the people of the organization: a space that is transferred leaves them behind.
create function delete_webhooks_of_transferred() returns trigger language plpgsql as $$
begin
  delete from webhooks where space_id = new.id;
  return null;
end $$;
create trigger delete_webhooks after update of organization_id on spaces for each row
  when (old.organization_id is distinct from new.organization_id) execute function delete_webhooks_of_transferred();

-- Events of sites are recorded only where something receives them.
create function has_site_webhook(site text, organization text, event_type text) returns boolean language sql stable as $$
  select exists (
    select from webhooks where organization_id = organization and enabled and space_id is null
      and (site_id is null or site_id = site) and (event_types is null or event_type = any(event_types)))
$$;

create function is_site_followed(site text, organization text) returns boolean language sql stable as $$
  select exists (select from site_revalidations where site_id = site)
    or has_site_webhook(site, organization, 'site_changed')
$$;

create or replace function record_page_feedback() returns trigger language plpgsql as $$
begin
  insert into events (organization_id, space_id, type, data)
  select t.organization_id, new.space_id, 'page_feedback', jsonb_strip_nulls(jsonb_build_object(
    'siteId', t.id, 'pageId', new.page_id, 'rating', new.rating, 'comment', new.comment))
  from sites t
  where t.id = new.site_id and (has_site_webhook(t.id, t.organization_id, 'page_feedback') or exists (
    select from integration_installations i
    where i.organization_id = t.organization_id and 'page:feedback:read' = any(i.scopes)));
  return null;
end $$;

create or replace function record_change_of_site() returns trigger language plpgsql as $$
declare recorded text := coalesce(current_setting('octavo.recorded_sites', true), '');
begin
  -- Once in a transaction: a request may change a thousand redirects of a site.
  if position(' ' || new.id || ' ' in recorded) > 0 or not is_site_followed(new.id, new.organization_id)
    then return null; end if;
  perform set_config('octavo.recorded_sites', recorded || ' ' || new.id || ' ', true);
  insert into events (organization_id, type, data)
  values (new.organization_id, 'site_changed', jsonb_build_object('siteId', new.id));
  return null;
end $$;

create or replace function record_change_of_sites() returns trigger language plpgsql as $$
begin
  insert into events (organization_id, space_id, type, data)
  select t.organization_id, new.id, 'site_changed', jsonb_build_object('siteId', t.id)
  from sites t
  where t.published_at is not null and t.id in (
    select v.site_id from site_spaces v where v.space_id = new.id and not v.space_deleted)
    and is_site_followed(t.id, t.organization_id);
  return null;
end $$;
