-- A commit that was being pushed: it becomes the common one if the branch has it, even if the push was interrupted.
alter table git_states add column pushed_commit_id text;
alter table git_states add column pushed_revision_id text references revisions on delete set null;
alter table git_states add column pushed_files bytea;
create index git_states_of_pushed_revision on git_states (pushed_revision_id) where pushed_revision_id is not null;
