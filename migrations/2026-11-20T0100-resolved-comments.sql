-- Resolved comments are counted as open ones are, so that the length of a list of comments is known without a scan.
alter table space_tallies add column comments_resolved integer not null default 0;
insert into space_tallies (space_id, comments_resolved)
  select space_id, count(*) from comments
  where change_request_id is null and parent_id is null and resolved_at is not null group by space_id;
drop index space_tallies_of_space;
create index space_tallies_of_space on space_tallies (space_id)
  include (comments, comments_resolved, change_requests, change_requests_open, change_requests_draft);

alter table comment_counts add column resolved integer not null default 0 check (resolved >= 0);
insert into comment_counts (change_request_id, open, resolved)
  select change_request_id, 0, count(*) from comments
  where change_request_id is not null and parent_id is null and resolved_at is not null group by change_request_id
  on conflict (change_request_id) do update set resolved = excluded.resolved;
