-- Addresses that pages had: docs/decisions/0045-serving-sites.md. Written with each publication, one row for each page that
-- was renamed or moved: the pages below it are found through it, also after it was deleted.
create table former_slugs (
  space_id text not null references spaces on delete cascade,
  -- The page above it at that time; empty at the root.
  parent_id text not null,
  -- Folded as the slugs of the tree are.
  slug text not null,
  page_id text not null,
  primary key (space_id, parent_id, slug)
);

-- The site that the address of the installation itself shows.
alter table installation add column home_site_id text references sites on delete set null;
