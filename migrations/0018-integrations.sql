-- Integrations: published by an organization, installed on organizations, spaces and sites.

create table integrations (
  id text primary key,
  -- Names are addresses, so two of them do not differ by case alone.
  name text not null check (name ~ '^[A-Za-z0-9_.-]{1,100}$' and name !~ '^\.+$'),
  organization_id text not null references organizations on delete cascade,
  -- Counts publications.
  version integer not null default 1,
  runtime text not null check (runtime in ('v1', 'v2')),
  title text not null check (char_length(title) between 2 and 30),
  description text not null check (char_length(description) <= 100),
  summary text check (char_length(summary) <= 2048),
  visibility text not null check (visibility in ('public', 'private', 'unlisted')),
  target text not null check (target in ('all', 'site', 'space', 'organization')),
  scopes text[] not null,
  categories text[] not null,
  blocks jsonb not null,
  -- Of the URLs that the blocks unfurl.
  block_hosts text[] not null,
  content_sources jsonb not null,
  external_links jsonb not null,
  configurations jsonb not null,
  content_security_policy jsonb,
  -- Stored; nothing runs it.
  script text not null,
  secrets_sealed bytea not null,
  signing_secret_sealed bytea not null,
  -- Where its developer receives events.
  tunnel_url text,
  tunnel_all boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index integrations_name_unique on integrations (lower(name));
create index integrations_of_organization on integrations (organization_id);

-- The id is the permission to download: it cannot be guessed.
create table integration_images (
  id text primary key,
  integration_id text not null references integrations on delete cascade,
  kind text not null check (kind in ('icon', 'preview')),
  position integer not null,
  content_type text not null,
  content bytea not null,
  unique (integration_id, kind, position)
);

create table integration_installations (
  id text primary key,
  integration_id text not null references integrations on delete cascade,
  organization_id text not null references organizations on delete cascade,
  -- Acts for the installation: the holder of its tokens, and the author of what they change.
  user_id text not null references users on delete cascade,
  is_paused boolean not null default false,
  space_selection text not null default 'selected' check (space_selection in ('all', 'selected')),
  site_selection text not null default 'selected' check (site_selection in ('all', 'selected')),
  -- Those that an admin of the organization accepted.
  scopes text[] not null,
  configuration jsonb not null default '{}',
  external_ids text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint integration_installations_unique unique (organization_id, integration_id),
  unique (user_id)
);
create index integration_installations_of_integration on integration_installations (integration_id, created_at, id);
create index integration_installations_by_external_id on integration_installations using gin (external_ids);

create table integration_space_installations (
  installation_id text not null references integration_installations on delete cascade,
  space_id text not null references spaces on delete cascade,
  configuration jsonb not null default '{}',
  external_ids text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (installation_id, space_id)
);
create index integration_space_installations_of_space on integration_space_installations (space_id);
create index integration_space_installations_by_external_id on integration_space_installations using gin (external_ids);

create table integration_site_installations (
  installation_id text not null references integration_installations on delete cascade,
  site_id text not null references sites on delete cascade,
  configuration jsonb not null default '{}',
  external_ids text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (installation_id, site_id)
);
create index integration_site_installations_of_site on integration_site_installations (site_id);
create index integration_site_installations_by_external_id on integration_site_installations using gin (external_ids);

-- A transferred space is no longer the organization's to share.
create function end_space_installations() returns trigger language plpgsql as $$
begin
  delete from integration_space_installations where space_id = new.id;
  return null;
end $$;
create trigger end_installations after update of organization_id on spaces for each row
  when (old.organization_id is distinct from new.organization_id) execute function end_space_installations();

-- Acts for an installation; not a person.
alter table users add column is_installation boolean not null default false;

-- The membership of an installation is not shown as one. Its roles are those that its scopes need: on the organization's own
-- specifications, and on spaces and sites where it has all of them. On selected ones it has grants.
alter table members
  add column installation_id text references integration_installations on delete cascade,
  add column spaces_role role,
  add column sites_role role,
  add column specs_role role,
  add constraint members_installation check (
    installation_id is null and num_nonnulls(spaces_role, sites_role, specs_role) = 0
    or installation_id is not null and role is null);
create index members_of_installation on members (installation_id) where installation_id is not null;
drop trigger announce on members;
create trigger announce
  after insert or delete or update of role, disabled, spaces_role, sites_role, specs_role on members
  for each row execute function announce_change('organization=organization_id', 'user=user_id');

-- Tokens of an installation end with it, and while it is paused.
create function end_installation_tokens() returns trigger language plpgsql as $$
begin
  delete from tokens where user_id = old.user_id;
  if tg_op = 'UPDATE' then
    update members set disabled = new.is_paused
    where organization_id = new.organization_id and user_id = new.user_id;
  end if;
  return null;
end $$;
create trigger end_tokens after delete on integration_installations
  for each row execute function end_installation_tokens();
create trigger end_tokens_of_paused after update of is_paused on integration_installations for each row
  when (old.is_paused is distinct from new.is_paused) execute function end_installation_tokens();

-- Kept when their installation is deleted: its end is one of them.
create table integration_events (
  id text primary key,
  integration_id text not null references integrations on delete cascade,
  installation_id text,
  payload jsonb not null,
  -- Null: not delivered yet.
  status text check (status in ('success', 'failed')),
  attempts integer not null default 0,
  logs jsonb not null default '[]',
  created_at timestamptz(3) not null default now()
);
create index integration_events_of_integration on integration_events (integration_id, created_at, id);
create index integration_events_by_age on integration_events (created_at);

-- Feedback of readers is an event where an integration receives it.
create function record_page_feedback() returns trigger language plpgsql as $$
begin
  insert into events (organization_id, space_id, type, data)
  select t.organization_id, new.space_id, 'page_feedback', jsonb_strip_nulls(jsonb_build_object(
    'siteId', t.id, 'pageId', new.page_id, 'rating', new.rating, 'comment', new.comment))
  from sites t
  where t.id = new.site_id and exists (
    select from integration_installations i
    where i.organization_id = t.organization_id and 'page:feedback:read' = any(i.scopes));
  return null;
end $$;
create trigger record_page_feedback after insert on site_feedback
  for each row execute function record_page_feedback();
