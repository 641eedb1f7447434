-- Form 2 of the index (docs/decisions/0028-search-words-and-budgets.md): every position of a word, parts of identifiers, whole titles,
-- and what navigation calls a page. Segments that exist stay readable in form 1 until the job search.reindex rewrites them.
alter table search_segments add column form smallint not null default 1;
-- Characters of its words and blocks: large segments are not merged, and bound what a search reads.
alter table search_segments add column size integer not null default 0;
update search_segments s set size = length(s.words) + coalesce((
  select sum(length(b.entries)) from search_blocks b where b.space_id = s.space_id and b.first_page = s.first_page), 0);
alter table search_segments alter column form drop default, alter column size drop default;
create index search_segments_of_form_1 on search_segments (space_id) where form = 1;

-- What navigation calls the page, where that is not its title; else empty.
alter table search_pages add column label text not null default '';
alter table search_pages alter column label drop default;
