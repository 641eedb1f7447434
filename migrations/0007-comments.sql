-- Comments on spaces and change requests, and replies to them (`parent_id`).

create table comments (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  change_request_id text references change_requests on delete cascade,
  parent_id text references comments on delete cascade,
  -- A comment of a review stays when its reviewer is deleted, as every other comment does when its author is: only the
  -- program deletes what is counted.
  review_id text references change_request_reviews on delete set null,
  author_id text references users on delete set null,
  markdown text not null,
  -- Its anchor: the revision on which it was posted, and the present page, block or cell.
  revision_id text not null,
  page jsonb,
  node jsonb,
  table_cell jsonb,
  outdated boolean not null default false,
  resolved_at timestamptz(3),
  resolved_by text references users on delete set null,
  version integer not null default 1,
  posted_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  -- The last event up to which its block was followed.
  followed_to bigint not null default 0,
  -- Where its text is counted.
  store_id text not null,
  text_bytes integer not null generated always as (octet_length(markdown)) stored
);
create index comments_of_space on comments (space_id, posted_at, id)
  where change_request_id is null and parent_id is null;
create index comments_of_change_request on comments (change_request_id, posted_at, id)
  where change_request_id is not null and parent_id is null;
create index comments_replies on comments (parent_id, posted_at, id) where parent_id is not null;
create index comments_of_author on comments (author_id, space_id, change_request_id) where author_id is not null;
create index comments_of_review on comments (review_id) where review_id is not null;
create index comments_of_page on comments (space_id, (page ->> 'id')) where page is not null;
-- Deleting a row searches the rows that refer to it, and a partial index of other rows does not help: without these two,
-- all comments were read for each change request.
create index comments_in_space on comments (space_id, parent_id);
create index comments_in_change_request on comments (change_request_id) where change_request_id is not null;
-- If nearly all rows belong to one space, request or comment, the statistics make PostgreSQL read all rows for any of
-- them. Not analysed here: it would learn of a new installation that there are no comments.
alter table comments
  alter column space_id set (n_distinct = -0.01),
  alter column change_request_id set (n_distinct = -0.05),
  alter column parent_id set (n_distinct = -0.2);
create trigger count_new after insert on comments
  referencing new table as changed for each statement execute function count_text();
create trigger count_gone after delete on comments
  referencing old table as changed for each statement execute function count_text();
create trigger count_changed after update of text_bytes, store_id on comments for each row
  when ((old.text_bytes, old.store_id) is distinct from (new.text_bytes, new.store_id))
  execute function count_changed_text();

create table comment_reactions (
  comment_id text not null references comments on delete cascade,
  emoji text not null check (char_length(emoji) between 1 and 50),
  user_id text not null references users on delete cascade,
  reacted_at timestamptz(3) not null default now(),
  primary key (comment_id, emoji, user_id)
);
alter table comment_reactions alter column comment_id set (n_distinct = -0.2);

-- Comments of each change request, and replies to each comment, counted by the transaction that changes them: counting
-- them at every read would scan all comments if one request or comment has most of them. In tables of their own, so that
-- a comment does not wait for an edit or merge of the request, and does not drop what is cached of the request.
create table comment_counts (
  change_request_id text primary key references change_requests on delete cascade,
  open integer not null check (open >= 0),
  resolved integer not null default 0 check (resolved >= 0)
) with (fillfactor = 50);

create table reply_counts (
  comment_id text primary key references comments on delete cascade,
  replies integer not null check (replies >= 0)
) with (fillfactor = 50);
