-- The versions of a conflict are somebody's text as it is, which jsonb cannot hold (NUL); nothing looks into it.
alter table change_request_conflicts alter column conflict type text;
