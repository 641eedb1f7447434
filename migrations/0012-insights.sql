-- Counts of what readers of sites do, by day (UTC). No row identifies a reader.
create table site_page_views (
  site_id text not null references sites on delete cascade,
  day date not null,
  space_id text not null,
  page_id text not null,
  views integer not null,
  primary key (site_id, day, space_id, page_id)
);

create table site_searches (
  site_id text not null references sites on delete cascade,
  day date not null,
  -- Normalised. Empty: queries that are not stored by themselves.
  query text not null check (char_length(query) <= 100),
  searches integer not null,
  -- Of them, those without a result.
  failed integer not null,
  primary key (site_id, day, query)
);

create table site_feedback (
  id text primary key,
  site_id text not null references sites on delete cascade,
  space_id text not null,
  page_id text not null,
  rating text not null check (rating in ('bad', 'ok', 'good')),
  comment text check (char_length(comment) between 1 and 512),
  created_at timestamptz(3) not null
);
create index site_feedback_in_order on site_feedback (site_id, created_at desc, id);
