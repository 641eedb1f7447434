-- The index of the search: docs/decisions/0013-search.md and 0028-search-words-and-budgets.md. All rows of a space are
-- deleted with it. The transaction that publishes content writes them, one space at a time.

-- A changed page gets a new number. The numbers of a space only increase.
create table search_pages (
  space_id text not null references spaces on delete cascade,
  page_id text not null,
  number integer not null,
  title text not null,
  description text not null,
  path text not null,
  -- What navigation calls the page; empty if that is its title.
  label text not null,
  primary key (space_id, page_id),
  unique (space_id, number)
) with (fillfactor = 90);

-- The sections that results show, counted from one. The first may have no heading, and then no anchor.
create table search_sections (
  space_id text not null,
  page integer not null,
  ordinal integer not null,
  anchor text,
  title text not null,
  body text not null,
  primary key (space_id, page, ordinal),
  foreign key (space_id, page) references search_pages (space_id, number) on delete cascade
);

-- The words of the pages with numbers from first_page to before next_page, except of those that are gone.
create table search_segments (
  space_id text not null references spaces on delete cascade,
  first_page integer not null,
  next_page integer not null,
  -- How many pages it had when it was written.
  pages integer not null,
  gone integer[] not null default '{}',
  -- All its words, each between two spaces: a word with a typo is compared with them.
  words text not null,
  -- Characters of its words and blocks: large segments are not merged, and it bounds what a search reads.
  size integer not null,
  primary key (space_id, first_page)
);

-- The words of a segment in their order, one line for each, with the pages that use it and where; divided into blocks.
create table search_blocks (
  space_id text not null,
  first_page integer not null,
  first_word text collate "C" not null,
  entries text not null,
  primary key (space_id, first_page, first_word),
  foreign key (space_id, first_page) references search_segments on delete cascade
);
alter table search_blocks alter column entries set storage external;
