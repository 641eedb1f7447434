-- Numbers are given out here, in the transaction that uses them: none is skipped, and nobody who edits the space waits.
create table change_request_numbers (
  space_id text primary key references spaces on delete cascade,
  last integer not null
);

create table change_requests (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  number integer not null check (number > 0),
  status text not null default 'draft' check (status in ('draft', 'open', 'archived', 'merged')),
  subject text not null default '' check (char_length(subject) <= 100),
  description jsonb,
  author_id text references users on delete set null,
  agent_task_id text,
  -- What it proposes; the primary revision it began with; the primary revision that was last merged into it.
  revision_id text not null,
  initial_revision_id text not null,
  ancestor_revision_id text not null,
  merged_revision_id text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (space_id, number),
  foreign key (space_id, revision_id) references revisions (space_id, id) deferrable initially deferred,
  foreign key (space_id, ancestor_revision_id) references revisions (space_id, id) deferrable initially deferred,
  constraint change_requests_merged_once check ((status = 'merged') = (merged_revision_id is not null))
);
create index change_requests_by_status on change_requests (space_id, status, number);
create index change_requests_of_author on change_requests (author_id) where author_id is not null;
create trigger announce after insert or update or delete on change_requests
  for each row execute function announce_change('change-request=id');

-- Whoever edited it or commented on it.
create table change_request_contributors (
  change_request_id text not null references change_requests on delete cascade,
  user_id text not null references users on delete cascade,
  action text not null check (action in ('edit', 'comment')),
  count integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  primary key (change_request_id, user_id, action)
);
create index change_request_contributors_of_user on change_request_contributors (user_id);

create table change_request_reviewers (
  change_request_id text not null references change_requests on delete cascade,
  user_id text not null references users on delete cascade,
  requested_by text references users on delete set null,
  revision_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (change_request_id, user_id)
);

create table change_request_reviews (
  id text primary key,
  change_request_id text not null references change_requests on delete cascade,
  revision_id text not null,
  reviewer_id text not null references users on delete cascade,
  requested_by text references users on delete set null,
  status text not null check (status in ('approved', 'changes-requested')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index change_request_reviews_in_order on change_request_reviews (change_request_id, created_at, id);

-- What an update could not decide. Resolved ones are gone.
create table change_request_conflicts (
  id text primary key,
  change_request_id text not null references change_requests on delete cascade,
  place integer not null,
  conflict jsonb not null,
  created_at timestamptz(3) not null default now(),
  unique (change_request_id, place)
);

-- Comments, and the replies to them (`parent_id`).
create table comments (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  change_request_id text references change_requests on delete cascade,
  parent_id text references comments on delete cascade,
  review_id text references change_request_reviews on delete cascade,
  author_id text references users on delete set null,
  markdown text not null,
  -- What it is about: the revision it was posted on, and the page, block or cell, as it stands now.
  revision_id text not null,
  page jsonb,
  node jsonb,
  table_cell jsonb,
  outdated boolean not null default false,
  resolved_at timestamptz(3),
  resolved_by text references users on delete set null,
  version integer not null default 1,
  posted_at timestamptz(3) not null default now(),
  edited_at timestamptz(3)
);
create index comments_of_space on comments (space_id, posted_at, id)
  where change_request_id is null and parent_id is null;
create index comments_of_change_request on comments (change_request_id, posted_at, id)
  where change_request_id is not null and parent_id is null;
create index comments_replies on comments (parent_id, posted_at, id) where parent_id is not null;
create index comments_of_author on comments (author_id, space_id, change_request_id) where author_id is not null;
create index comments_of_review on comments (review_id) where review_id is not null;
create index comments_of_page on comments (space_id, (page ->> 'id')) where page is not null;

create table comment_reactions (
  comment_id text not null references comments on delete cascade,
  emoji text not null check (char_length(emoji) between 1 and 50),
  user_id text not null references users on delete cascade,
  reacted_at timestamptz(3) not null default now(),
  primary key (comment_id, emoji, user_id)
);

-- What happened, for whoever wants to know: read in order and in batches, delivered at least once.
create table events (
  id bigint generated always as identity primary key,
  -- Given when it is first seen: ids are given before transactions end, so a lower one may appear after a higher.
  sequence bigint unique,
  organization_id text not null,
  space_id text,
  type text not null,
  data jsonb not null default '{}',
  at timestamptz(3) not null default now()
);

create sequence event_sequence;
create index events_new on events (id) where sequence is null;

create table event_readers (
  name text primary key,
  last bigint not null default 0
);
