-- Published sites: docs/decisions/0041-sites.md. Structure changes of one site are serialised by the lock of its row.

create table sites (
  id text primary key,
  organization_id text not null references organizations on delete cascade,
  type text not null default 'basic',
  title text not null check (char_length(title) between 2 and 128),
  visibility text not null default 'public'
    check (visibility in ('public', 'unlisted', 'share-link', 'visitor-auth')),
  -- Its path on the default address of the installation.
  basename text not null check (char_length(basename) between 1 and 100),
  -- A custom hostname that was verified.
  hostname text constraint sites_hostname_unique unique,
  -- Host and path of a proxy in front of the site: company.example/docs.
  proxy_origin text check (char_length(proxy_origin) <= 512),
  -- Null: not published.
  published_at timestamptz(3),
  adaptive_content boolean not null default false,
  agents_context text not null default 'excluded' check (agents_context in ('excluded', 'included')),
  -- Of the writable fields, for If-Match.
  version integer not null default 1,
  -- Increases with every change of the site, its structure, share links and settings: part of the keys of HTML caches.
  config_version bigint not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (organization_id, id)
);
create unique index sites_basename_unique on sites (lower(basename));
create index sites_of_organization on sites (organization_id, created_at, id);

-- Groups and sections of one parent share one order. `path` has the ids of the groups around a group and its own, as
-- that of collections; `place` the positions, joined by a character that sorts before all others.
create table site_section_groups (
  id text primary key,
  site_id text not null references sites on delete cascade,
  parent_id text,
  path text[] not null default '{}',
  title text not null check (char_length(title) between 1 and 100),
  icon text check (char_length(icon) between 1 and 50),
  position text collate "C" not null,
  place text collate "C" not null default '',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (site_id, id),
  foreign key (site_id, parent_id) references site_section_groups (site_id, id) deferrable initially deferred,
  constraint site_section_groups_depth check (cardinality(path) <= 8),
  constraint site_section_groups_path check (
    path[cardinality(path)] = id and not id = any(path[1:cardinality(path) - 1]))
);
create index site_section_groups_in_order on site_section_groups (site_id, place, id);
create index site_section_groups_of_parent on site_section_groups (parent_id);

create table site_sections (
  id text primary key,
  site_id text not null references sites on delete cascade,
  group_id text,
  title text not null check (char_length(title) between 2 and 128),
  description text check (char_length(description) between 1 and 256),
  path text not null check (char_length(path) between 1 and 100),
  icon text check (char_length(icon) between 1 and 50),
  condition text check (char_length(condition) between 1 and 1024),
  is_default boolean not null default false,
  position text collate "C" not null,
  place text collate "C" not null default '',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (site_id, id),
  foreign key (site_id, group_id) references site_section_groups (site_id, id) deferrable initially deferred
);
create unique index site_sections_path_unique on site_sections (site_id, lower(path));
create unique index site_sections_one_default on site_sections (site_id) where is_default;
create index site_sections_in_order on site_sections (site_id, place, id);
create index site_sections_of_group on site_sections (group_id);

-- A space that a site shows. The key of its space includes the organization and does not follow it: a space that a site
-- shows cannot be transferred.
create table site_spaces (
  id text primary key,
  organization_id text not null,
  site_id text not null,
  section_id text,
  space_id text not null,
  path text not null check (char_length(path) between 1 and 100),
  condition text check (char_length(condition) between 1 and 1024),
  is_default boolean not null default false,
  -- Whether its space is deleted. Then the site does not show it until the space is restored.
  space_deleted boolean not null default false,
  position text collate "C" not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (site_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (site_id, section_id) references site_sections (site_id, id) on delete cascade,
  constraint site_spaces_space foreign key (organization_id, space_id) references spaces (organization_id, id)
    on delete cascade,
  constraint site_spaces_default_is_shown check (not (is_default and space_deleted))
);
create unique index site_spaces_path_unique on site_spaces (site_id, section_id, lower(path)) nulls not distinct;
create unique index site_spaces_one_default on site_spaces (site_id, section_id) nulls not distinct where is_default;
create index site_spaces_in_order on site_spaces (site_id, section_id, position, id);
create index site_spaces_of_section on site_spaces (section_id);
create index site_spaces_of_space on site_spaces (space_id);

-- The program finds the key by its HMAC, and decrypts it for admins. Both use keys of the installation.
create table share_links (
  id text primary key,
  site_id text not null references sites on delete cascade,
  name text not null check (char_length(name) <= 50),
  key_hash text not null constraint share_links_key_unique unique,
  key_sealed bytea not null,
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (site_id, id)
);
create index share_links_of_site on share_links (site_id, created_at, id);

-- Roles on a site go with it.
alter table grants
  add foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade;

-- A change of a table with a column site_id is a change of the site. So it also waits for the lock of the site.
create function touch_site() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update sites set config_version = config_version + 1 where id = old.site_id;
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.site_id <> old.site_id then
    update sites set config_version = config_version + 1 where id = new.site_id;
  end if;
  return null;
end $$;
create trigger touch_site after insert or update or delete on site_section_groups
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on site_sections
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on site_spaces
  for each row execute function touch_site();
create trigger touch_site after insert or update or delete on share_links
  for each row execute function touch_site();

create function count_site_change() returns trigger language plpgsql as $$
begin
  if new.config_version = old.config_version then new.config_version := old.config_version + 1; end if;
  return new;
end $$;
create trigger count_site_change before update on sites for each row execute function count_site_change();
create trigger announce after insert or update or delete on sites
  for each row execute function announce_change('site=id');

create function set_group_place() returns trigger language plpgsql as $$
declare parent site_section_groups;
begin
  select * into parent from site_section_groups g where g.id = new.parent_id;
  new.place := concat_ws('/', parent.place, new.position);
  new.path := coalesce(parent.path, '{}') || new.id;
  return new;
end $$;
create trigger set_place before insert or update of parent_id, position on site_section_groups
  for each row execute function set_group_place();

create function set_section_place() returns trigger language plpgsql as $$
begin
  new.place := concat_ws('/', (select g.place from site_section_groups g where g.id = new.group_id), new.position);
  return new;
end $$;
create trigger set_place before insert or update of group_id, position on site_sections
  for each row execute function set_section_place();

-- Sections and groups move with the group around them.
create function carry_section_places() returns trigger language plpgsql as $$
begin
  update site_section_groups set place = new.place || '/' || position, path = new.path || id where parent_id = new.id;
  update site_sections set place = new.place || '/' || position where group_id = new.id;
  return null;
end $$;
create trigger carry_places after update on site_section_groups for each row
  when (old.place is distinct from new.place or old.path is distinct from new.path)
  execute function carry_section_places();

-- The first section is the default; when the default is deleted, the next one in the order of the site is.
create function pick_default_section() returns trigger language plpgsql as $$
declare changed site_sections;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if exists (select from site_sections s where s.site_id = changed.site_id and s.is_default) then return null; end if;
  update site_sections set is_default = true where id = (
    select s.id from site_sections s where s.site_id = changed.site_id
    order by s.place < changed.place, s.place limit 1);
  return null;
end $$;
create trigger pick_default after insert or delete on site_sections
  for each row execute function pick_default_section();

-- A site space that leaves its section, or whose space is deleted, is no longer the default there.
create function prepare_site_space() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.space_id <> old.space_id then
    -- The lock serialises this with the deletion of the space.
    select s.deleted_at is not null into new.space_deleted from spaces s where s.id = new.space_id for share;
    new.space_deleted := coalesce(new.space_deleted, false);
  end if;
  if new.space_deleted or tg_op = 'UPDATE' and new.section_id is distinct from old.section_id then
    new.is_default := false;
  end if;
  return new;
end $$;
create trigger prepare before insert or update of section_id, space_id, space_deleted on site_spaces
  for each row execute function prepare_site_space();

create function pick_default_site_space_of(of_site text, of_section text, after_position text) returns void
language plpgsql as $$
begin
  if exists (select from site_spaces v
    where v.site_id = of_site and v.section_id is not distinct from of_section and v.is_default) then return; end if;
  update site_spaces set is_default = true where id = (
    select v.id from site_spaces v
    where v.site_id = of_site and v.section_id is not distinct from of_section and not v.space_deleted
    order by v.position < after_position, v.position limit 1);
end $$;

create function pick_default_site_space() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pick_default_site_space_of(old.site_id, old.section_id, old.position); end if;
  if tg_op <> 'DELETE' then perform pick_default_site_space_of(new.site_id, new.section_id, ''); end if;
  return null;
end $$;
create trigger pick_default after insert or delete or update of section_id, space_id, space_deleted on site_spaces
  for each row execute function pick_default_site_space();

-- At commit: a site with sections has one default section and no site space outside of them; where site spaces are
-- shown, one of them is the default. The unique indexes exclude a second one.
create function check_site_defaults() returns trigger language plpgsql as $$
declare changed text;
begin
  if tg_op = 'DELETE' then changed := old.site_id; else changed := new.site_id; end if;
  if exists (select from site_sections s where s.site_id = changed having count(*) > 0 and not bool_or(s.is_default))
    or exists (select from site_spaces v where v.site_id = changed and not v.space_deleted
      group by v.section_id having not bool_or(v.is_default))
    or exists (select from site_spaces v where v.site_id = changed and v.section_id is null)
      and exists (select from site_sections s where s.site_id = changed) then
    raise exception 'a site has one default section, and a section one default site space'
      using errcode = 'check_violation', constraint = 'site_defaults';
  end if;
  return null;
end $$;
create constraint trigger check_defaults after insert or update or delete on site_sections
  deferrable initially deferred for each row execute function check_site_defaults();
create constraint trigger check_defaults after insert or update or delete on site_spaces
  deferrable initially deferred for each row execute function check_site_defaults();

-- The visibility of a space: the wider one of its own setting (or that of its place) and that of the site.
create function space_visibility(own text, parent_id text, of_site text) returns text language sql immutable as $$
  select case
    when 'public' in (own, of_site) then 'public'
    when 'unlisted' in (own, of_site) then 'unlisted'
    when 'share-link' in (own, of_site) then 'share-link'
    when 'visitor-auth' in (own, of_site) then 'visitor-auth'
    when parent_id is not null and coalesce(own, 'in-collection') = 'in-collection' then 'in-collection'
    else 'private' end
$$;

create function publish_spaces(space_ids text[]) returns void language plpgsql as $$
begin
  -- Two sites that publish the same space wait for each other, and the second one sees the first.
  perform from spaces s where s.id = any(space_ids) order by s.id for no key update;
  update spaces s set site_visibility = p.visibility, site_space_id = p.id
  from (select distinct id from unnest(space_ids) as id) asked
  left join lateral (
    select v.id, t.visibility from site_spaces v join sites t on t.id = v.site_id
    where v.space_id = asked.id and not v.space_deleted and t.published_at is not null
    order by array_position(array['public', 'unlisted', 'share-link', 'visitor-auth'], t.visibility), t.created_at,
      t.id, v.created_at, v.id limit 1) p on true
  where s.id = asked.id
    and (s.site_visibility is distinct from p.visibility or s.site_space_id is distinct from p.id);
end $$;

create function publish_space_of_site() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then perform publish_spaces(array[old.space_id, new.space_id]);
  elsif tg_op = 'DELETE' then perform publish_spaces(array[old.space_id]);
  else perform publish_spaces(array[new.space_id]);
  end if;
  return null;
end $$;
create trigger publish_space after insert or delete or update of space_id, space_deleted on site_spaces
  for each row execute function publish_space_of_site();

create function publish_spaces_of_site() returns trigger language plpgsql as $$
begin
  perform publish_spaces(array(select v.space_id from site_spaces v where v.site_id = new.id));
  return null;
end $$;
create trigger publish_spaces after update of visibility, published_at on sites for each row
  when (old.visibility <> new.visibility or (old.published_at is null) <> (new.published_at is null))
  execute function publish_spaces_of_site();

create function record_space_visibility() returns trigger language plpgsql as $$
declare
  previous text := space_visibility(old.visibility, old.parent_id, old.site_visibility);
  present text := space_visibility(new.visibility, new.parent_id, new.site_visibility);
begin
  if previous <> present then
    insert into events (organization_id, space_id, type, data)
    values (new.organization_id, new.id, 'space_visibility_updated',
      jsonb_build_object('previousVisibility', previous, 'visibility', present));
  end if;
  return null;
end $$;
create trigger record_visibility after update of visibility, parent_id, site_visibility on spaces
  for each row execute function record_space_visibility();

-- A deleted space is not shown by sites. A restored one is shown again.
create function hide_site_spaces() returns trigger language plpgsql as $$
begin
  update site_spaces set space_deleted = new.deleted_at is not null where space_id = new.id;
  return null;
end $$;
create trigger hide_site_spaces after update of deleted_at on spaces for each row
  when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function hide_site_spaces();

-- A deleted space that is transferred with its collection leaves the sites of the old organization.
create function leave_sites() returns trigger language plpgsql as $$
begin
  delete from site_spaces where space_id = old.id and space_deleted;
  return new;
end $$;
create trigger leave_sites before update of organization_id on spaces for each row
  when (old.organization_id <> new.organization_id) execute function leave_sites();

-- A deleted site is no longer the default content of its organization.
create function forget_default_site() returns trigger language plpgsql as $$
begin
  update organizations set default_content = null, version = version + 1
  where id = old.organization_id and default_content ->> 'site' = old.id;
  return null;
end $$;
create trigger forget_default_site after delete on sites for each row execute function forget_default_site();
