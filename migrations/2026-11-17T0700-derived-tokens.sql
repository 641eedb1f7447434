-- Short-lived tokens that are derived from another one. They end with it.
alter table tokens add column parent_id text references tokens on delete cascade;
create index tokens_of_parent on tokens (parent_id) where parent_id is not null;
