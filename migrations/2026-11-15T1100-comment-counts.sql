-- How many comments of a change request are open, and how many replies a comment has: kept by whoever changes it, in the
-- same transaction. Counting them at every read is a scan of all comments wherever one of these has most of them. Rows of
-- their own, so that who edits or merges a request, or changes a comment under a condition, is not in the way of who
-- comments, and what is kept of the request's content is not dropped.
create table comment_counts (
  change_request_id text primary key references change_requests on delete cascade,
  open integer not null check (open >= 0)
) with (fillfactor = 50);
insert into comment_counts (change_request_id, open)
  select change_request_id, count(*) filter (where resolved_at is null) from comments
  where change_request_id is not null and parent_id is null group by change_request_id;

create table reply_counts (
  comment_id text primary key references comments on delete cascade,
  replies integer not null check (replies >= 0)
) with (fillfactor = 50);
insert into reply_counts (comment_id, replies)
  select parent_id, count(*) from comments where parent_id is not null group by parent_id;

-- What was said with a review stays when its reviewer goes, as every other comment does when its author goes; and
-- nothing but the program deletes what is counted.
alter table comments
  drop constraint comments_review_id_fkey,
  add constraint comments_review_id_fkey foreign key (review_id) references change_request_reviews on delete set null;

-- The last event that its block was followed to: what happened up to it is in its place already.
alter table comments add column followed_to bigint not null default 0;
update comments k set followed_to = e.id from events e
  where e.type = 'comment_posted' and k.id = e.data ->> 'commentId' and k.node is not null;

-- Where one of them has nearly all the rows, PostgreSQL takes that for the rule, and reads all rows for any of them. Not
-- analysed here: of a new installation it would learn that there are no comments, and go by that for a minute.
alter table comments
  alter column space_id set (n_distinct = -0.01),
  alter column change_request_id set (n_distinct = -0.05),
  alter column parent_id set (n_distinct = -0.2);
alter table comment_reactions alter column comment_id set (n_distinct = -0.2);
