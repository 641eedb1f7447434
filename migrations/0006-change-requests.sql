-- Change requests, their reviews and conflicts.

-- The transaction that uses a number takes it here: no number is skipped, and edits of the space do not wait.
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
  -- The proposed revision, the primary revision at its beginning, and the primary revision that was last merged into it.
  revision_id text not null,
  initial_revision_id text not null,
  ancestor_revision_id text not null,
  merged_revision_id text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Where its description is counted.
  store_id text not null,
  text_bytes integer not null generated always as (coalesce(octet_length(description::text), 0)) stored,
  unique (space_id, number),
  foreign key (space_id, revision_id) references revisions (space_id, id) deferrable initially deferred,
  foreign key (space_id, ancestor_revision_id) references revisions (space_id, id) deferrable initially deferred,
  constraint change_requests_merged_once check ((status = 'merged') = (merged_revision_id is not null))
);
create index change_requests_by_status on change_requests (space_id, status, number);
-- A request names a change request by its id or its number, as text: each is one lookup in an index.
create index change_requests_by_number_text on change_requests (space_id, (number::text));
create index change_requests_of_author on change_requests (author_id) where author_id is not null;
create index change_requests_of_revision on change_requests (space_id, revision_id);
create index change_requests_of_ancestor on change_requests (space_id, ancestor_revision_id);
create trigger announce after insert or update or delete on change_requests
  for each row execute function announce_change('change-request=id');
create trigger count_new after insert on change_requests
  referencing new table as changed for each statement execute function count_text();
create trigger count_gone after delete on change_requests
  referencing old table as changed for each statement execute function count_text();
create trigger count_changed after update of text_bytes, store_id on change_requests for each row
  when ((old.text_bytes, old.store_id) is distinct from (new.text_bytes, new.store_id))
  execute function count_changed_text();

-- Users who edited it or commented on it.
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

-- Conflicts of updates. A resolved one is deleted.
create table change_request_conflicts (
  id text primary key,
  change_request_id text not null references change_requests on delete cascade,
  place integer not null,
  -- JSON, not jsonb: its texts are those of users, which may contain NUL, and no query looks into it.
  conflict text not null,
  created_at timestamptz(3) not null default now(),
  -- An edit reads only the conflicts of the entries that it changes: a conflict may contain three versions of a large
  -- page.
  entry text,
  unique (change_request_id, place)
);
