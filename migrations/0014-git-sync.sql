-- Imports from and exports to Git repositories. Operations of one space run one at a time, in the order of `ordered_at`. A job
-- claims an operation by increasing `attempt`, which every later change compares, as with runs of imports.
create table git_operations (
  id text primary key,
  space_id text not null references spaces on delete cascade,
  user_id text references users on delete set null,
  direction text not null check (direction in ('import', 'export')),
  -- A request to the API, a push to the repository, a poll of it, new content of the space, a pull request.
  cause text not null check (cause in ('api', 'push', 'poll', 'content', 'pull-request')),
  -- The remote and the options, without credentials.
  request jsonb not null,
  -- Sealed, and only until the operation ends.
  credential bytea,
  ordered_at timestamptz(3) not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'success', 'failure', 'skipped')),
  stage text check (stage in ('repo_fetch', 'config_check', 'content_process', 'finalize')),
  attempt integer not null default 0,
  dispatched_tasks integer not null default 0,
  completed_tasks integer not null default 0,
  log jsonb,
  commit_id text,
  revision_id text,
  change_request_id text references change_requests on delete set null,
  error text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  seen_at timestamptz(3),
  completed_at timestamptz(3),
  check ((state in ('success', 'failure', 'skipped')) = (completed_at is not null)),
  check (completed_at is null or credential is null),
  check ((state = 'failure') = (error is not null))
);
create index git_operations_of_space on git_operations (space_id, created_at desc, id);
create index git_operations_unfinished on git_operations (ordered_at, id) where state in ('queued', 'running');
create unique index git_operations_running on git_operations (space_id) where state = 'running';
create unique index git_operations_queued_content on git_operations (space_id) where state = 'queued' and cause = 'content';
create index git_operations_ended on git_operations (completed_at) where completed_at is not null;
create index git_operations_of_request on git_operations (change_request_id) where change_request_id is not null;

-- The last common state of a space and each branch: the ancestor of the next three-way merge.
create table git_states (
  space_id text not null references spaces on delete cascade,
  url text not null,
  ref text not null,
  directory text not null,
  commit_id text not null,
  -- A revision with the content of the commit.
  revision_id text not null references revisions on delete cascade,
  -- Paths and object ids of the files of the commit, compressed.
  files bytea not null,
  -- The time of the last completed operation: older ones are skipped.
  ordered_at timestamptz(3) not null,
  -- A commit that conflicts with the space: it becomes the common one when its change request is merged.
  pending_request_id text references change_requests on delete set null,
  pending_commit_id text,
  pending_revision_id text references revisions on delete set null,
  pending_files bytea,
  -- The directory with the content: `docs.yaml` in the directory of the request may name another one.
  content_directory text not null,
  pending_content_directory text,
  -- A commit that was being pushed: it becomes the common one if the branch has it, even if the push was interrupted.
  pushed_commit_id text,
  pushed_revision_id text references revisions on delete set null,
  pushed_files bytea,
  updated_at timestamptz not null default now()
);
-- A digest: a URL and a directory may be longer than an entry of an index.
create unique index git_states_of_branch on git_states (space_id, md5(url || E'\n' || ref || E'\n' || directory));
create index git_states_in_order on git_states (space_id, updated_at desc);
create index git_states_of_revision on git_states (revision_id);
create index git_states_of_pending_revision on git_states (pending_revision_id) where pending_revision_id is not null;
create index git_states_of_pending_request on git_states (pending_request_id) where pending_request_id is not null;
create index git_states_of_pushed_revision on git_states (pushed_revision_id) where pushed_revision_id is not null;

-- A branch that a space follows: every push is imported, and all new content is exported.
create table git_connections (
  space_id text primary key references spaces on delete cascade,
  -- Its operations have the rights of this user.
  user_id text references users on delete set null,
  url text not null,
  ref text not null,
  directory text not null,
  -- Sealed.
  credential bytea,
  direction text not null check (direction in ('both', 'import', 'export')),
  provider text check (provider in ('github', 'gitlab')),
  tree_url text,
  commit_url text,
  pull_requests boolean not null,
  -- The secret of its webhook is derived from it.
  nonce text not null,
  webhook_seen_at timestamptz(3),
  next_poll_at timestamptz not null default now(),
  -- Polls in a row that found nothing new.
  idle_polls integer not null default 0,
  poll_error text,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Set while a process polls the repository: one poll at a time of an organization, and few in all.
  polling_until timestamptz
);
create index git_connections_due on git_connections (next_poll_at);
create index git_connections_polling on git_connections (polling_until) where polling_until is not null;

-- A credential belongs to the organization that entered it.
create function disconnect_transferred() returns trigger language plpgsql as $$
begin
  delete from git_connections where space_id = new.id;
  update git_operations set state = 'failure', completed_at = now(), credential = null,
    error = 'The space was transferred to another organization. Start the operation again.'
  where space_id = new.id and state in ('queued', 'running');
  return null;
end $$;
create trigger disconnect_transferred after update of organization_id on spaces for each row
  when (old.organization_id <> new.organization_id) execute function disconnect_transferred();

-- Pull requests that came in as change requests.
create table git_pull_requests (
  space_id text not null references git_connections on delete cascade,
  number integer not null,
  change_request_id text not null references change_requests on delete cascade,
  -- What was proposed last: if the change request has another revision, people edited it.
  revision_id text not null,
  primary key (space_id, number)
);
create index git_pull_requests_of_request on git_pull_requests (change_request_id);
