-- Several pages may have had a place one after the other: the last one that still exists is wanted, so all are kept, with the
-- time that each was there. A page that was there several times has one row, from its first time to its last.
alter table former_slugs
  add column since timestamptz not null default '-infinity',
  add column until timestamptz not null default clock_timestamp();
alter table former_slugs drop constraint former_slugs_pkey;
alter table former_slugs add primary key (space_id, parent_id, slug, page_id);
create index former_slugs_by_page on former_slugs (space_id, page_id, until);
