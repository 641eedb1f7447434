-- Mail about what concerns a person. Without a row, settings have their defaults.
create table notification_settings (
  user_id text primary key references users on delete cascade,
  delivery text not null default 'instant' check (delivery in ('instant', 'hourly', 'daily', 'off')),
  disabled_kinds text[] not null default '{}',
  version integer not null default 1
);

-- Ids only: what they name is read when the mail is sent, as the recipient may view it then. It may be deleted before, and
-- nothing is sent about it: the ids are no foreign keys, which would cost every deletion a search here.
create table notifications (
  id bigint generated always as identity primary key,
  user_id text not null references users on delete cascade,
  kind text not null,
  -- Why the recipient gets it: author, reviewer…
  reason text not null,
  actor_id text,
  space_id text not null,
  change_request_id text,
  -- The comment; of a reply, the one that it replies to.
  comment_id text,
  -- The comment, reply, review, change request, Git operation or import.
  subject_id text not null,
  -- Further ones that exceeded the limit of the hour.
  more integer not null default 0,
  -- When it is sent, or tried again. Not rounded to milliseconds, which may be later than now.
  due_at timestamptz not null,
  -- Rows that are one mail. Set before the first attempt, so that every attempt has the same Message-ID.
  batch_id text,
  attempts integer not null default 0,
  outcome text check (outcome in ('sent', 'dropped', 'failed')),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  check ((outcome is null) = (ended_at is null))
);
create index notifications_waiting on notifications (user_id, due_at) where ended_at is null;
create index notifications_of_user on notifications (user_id, created_at);
create index notifications_by_age on notifications (created_at);
-- A comment is told to each person once, also if an edit adds another mention.
create unique index notifications_of_comment on notifications (user_id, subject_id)
  where kind in ('mentioned', 'commentReplied', 'changeRequestCommented');

-- What happened before this version sends no mail.
insert into event_readers (name, last) select 'notifications', coalesce(max(sequence), 0) from events;
