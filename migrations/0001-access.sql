-- Users, tokens, organizations, members and teams.
--
-- The program makes ids. Times have the precision of JavaScript, so that a cursor finds its row again.

create type role as enum ('read', 'comment', 'edit', 'review', 'create', 'admin');

-- Announces to every process what a transaction changed, so that it drops what it has cached of it. The arguments are
-- tags to build from columns: 'organization=organization_id'. The process that commits reads octavo.changed instead of
-- waiting for the notification. Beyond some hundred tags, `*` announces that everything may have changed: a transaction
-- that changes 50,000 spaces would search and copy the list of all tags for each of them.
create function announce_change() returns trigger language plpgsql as $$
declare
  rows jsonb[] := array[]::jsonb[];
  changed jsonb;
  argument text;
  tag text;
  so_far text := coalesce(current_setting('octavo.changed', true), '');
begin
  if so_far = ' *' then return null; end if;
  if tg_op <> 'INSERT' then rows := rows || to_jsonb(old); end if;
  if tg_op <> 'DELETE' then rows := rows || to_jsonb(new); end if;
  foreach changed in array rows loop
    foreach argument in array tg_argv loop
      tag := split_part(argument, '=', 1) || ':' || (changed ->> split_part(argument, '=', 2));
      if tag is not null and position(' ' || tag || ' ' in so_far || ' ') = 0 then
        if length(so_far) > 10000 then
          perform set_config('octavo.changed', ' *', true);
          perform pg_notify('octavo_changed', '*');
          return null;
        end if;
        so_far := so_far || ' ' || tag;
        perform set_config('octavo.changed', so_far, true);
        perform pg_notify('octavo_changed', tag);
      end if;
    end loop;
  end loop;
  return null;
end $$;

create table users (
  id text primary key,
  display_name text not null check (char_length(display_name) between 1 and 64),
  email text not null check (email = lower(email)),
  email_proven_at timestamptz(3),
  photo_url text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  -- Set by the operator: the tokens of the account are refused.
  disabled_at timestamptz(3)
);
-- An address belongs to the one account that proved it. Others may claim it: a claim does not block the owner, and
-- nothing trusts it.
create unique index users_proven_email_unique on users (email) where email_proven_at is not null;
create trigger announce after update or delete on users
  for each row execute function announce_change('user=id');

create table tokens (
  id text primary key,
  user_id text not null references users on delete cascade,
  label text not null check (char_length(label) <= 50),
  hash bytea not null constraint tokens_hash_unique unique,
  scopes text[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index tokens_of_user on tokens (user_id, created_at, id);
create trigger announce after update of user_id, hash, scopes, expires_at or delete on tokens
  for each row execute function announce_change('user=user_id');

-- Stored responses to requests with an Idempotency-Key. A response belongs to the token that received it: another token of the user may
-- have fewer rights.
create table idempotency_keys (
  target text not null,
  key text not null,
  body_hash text not null,
  answer bytea not null,
  created_at timestamptz(3) not null default now(),
  token_id text not null references tokens on delete cascade,
  primary key (token_id, target, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table organizations (
  id text primary key,
  title text not null check (char_length(title) between 2 and 255),
  email_domains text[] not null default '{}',
  hostname text constraint organizations_hostname_unique unique check (hostname ~ '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$'),
  type text not null default 'business',
  use_case text,
  community_type text,
  default_role role default 'read',
  default_content jsonb,
  logo text,
  sso boolean not null default false,
  ai boolean not null default false,
  invite_links boolean not null default true,
  merge_rules jsonb not null default '{"type": "none"}',
  version integer not null default 1,
  created_at timestamptz(3) not null default now()
);
create index organizations_by_email_domain on organizations using gin (email_domains);
create trigger announce after update or delete on organizations
  for each row execute function announce_change('organization=id');

create table members (
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  role role,
  disabled boolean not null default false,
  sso boolean not null default false,
  joined_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3),
  primary key (organization_id, user_id)
);
create index members_by_user on members (user_id, organization_id);
create index members_by_joined_at on members (organization_id, joined_at, user_id);
create trigger announce after insert or delete or update of role, disabled on members
  for each row execute function announce_change('organization=organization_id', 'user=user_id');

-- The last admin can neither leave nor be demoted, also by concurrent requests: the row of the organization is written
-- before the other admins are counted. A lock alone would let a repeatable read (If-Match) count what it saw at its
-- beginning; a write makes it fail and try again.
create function keep_an_admin() returns trigger language plpgsql as $$
begin
  if old.role is distinct from 'admin' or old.disabled then return null; end if;
  if tg_op = 'UPDATE' and new.role = 'admin' and not new.disabled then return null; end if;
  update organizations set version = version where id = old.organization_id;
  if not found then return null; end if;
  perform 1 from members where organization_id = old.organization_id and role = 'admin' and not disabled;
  if not found then
    raise exception 'an organization keeps at least one admin'
      using errcode = 'check_violation', constraint = 'organization_keeps_an_admin';
  end if;
  return null;
end $$;
create trigger keep_an_admin after update of role, disabled or delete on members
  for each row execute function keep_an_admin();

create table teams (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  title text not null check (char_length(title) between 1 and 64),
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (organization_id, id)
);
create index teams_of_organization on teams (organization_id, created_at, id);
create trigger announce after update or delete on teams
  for each row execute function announce_change('organization=organization_id');

create type team_role as enum ('member', 'owner');

create table team_members (
  organization_id text not null,
  team_id text not null,
  user_id text not null,
  role team_role not null default 'member',
  joined_at timestamptz(3) not null default now(),
  primary key (team_id, user_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade on update cascade,
  foreign key (organization_id, user_id) references members on delete cascade
);
create index team_members_by_user on team_members (organization_id, user_id);
create trigger announce after insert or update or delete on team_members
  for each row execute function announce_change('organization=organization_id', 'user=user_id');
