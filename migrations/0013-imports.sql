-- Imports in the background. A job claims a run by increasing `attempt`, which every later change of the run compares: of
-- several processes that work on one run, only the last one can finish it.
create table import_runs (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  change_request_id text references change_requests on delete cascade,
  page_id text,
  user_id text references users on delete set null,
  source jsonb not null,
  -- Uploads that the run reads: they are not deleted before it ends.
  file_keys text[] not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'in-progress', 'completed', 'failed', 'cancelled')),
  attempt integer not null default 0,
  found integer not null default 0,
  imported integer not null default 0,
  skipped integer not null default 0,
  skipped_list jsonb,
  pages jsonb,
  revision_id text,
  error text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  -- When the job last reported; a run that does not report for two minutes is claimed by another job.
  seen_at timestamptz(3),
  completed_at timestamptz(3),
  check ((status in ('completed', 'failed', 'cancelled')) = (completed_at is not null)),
  check ((status = 'completed') = (revision_id is not null))
);
create index import_runs_of_space on import_runs (space_id, created_at desc, id);
create index import_runs_of_request on import_runs (change_request_id) where change_request_id is not null;
create index import_runs_unfinished on import_runs (created_at, id) where status in ('pending', 'in-progress');
create index import_runs_ended on import_runs (completed_at) where completed_at is not null;
