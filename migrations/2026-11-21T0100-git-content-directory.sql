-- The directory whose files are the content: `docs.yaml` in the directory of the request may name another one.
alter table git_states add column content_directory text;
alter table git_states add column pending_content_directory text;
update git_states set content_directory = directory,
  pending_content_directory = case when pending_files is not null then directory end;
alter table git_states alter column content_directory set not null;
