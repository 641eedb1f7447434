-- The role of a user is found by the object and the grantees, the user and their teams: an object can have thousands of
-- grants. With one column for both kinds of grantees, the index finds those that apply.
alter table grants add column grantee_id text not null generated always as (coalesce(user_id, team_id)) stored;
drop index grants_on_space;
drop index grants_on_collection;
create index grants_on_space on grants (space_id, grantee_id) where space_id is not null;
create index grants_on_collection on grants (collection_id, grantee_id) where collection_id is not null;
