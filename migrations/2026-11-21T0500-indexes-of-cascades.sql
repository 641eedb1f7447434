-- Deleting a row searches the rows that refer to it, and a partial index of other rows does not help: without these
-- indexes, all comments were read for each change request, and all invitations for each space.
create index comments_in_space on comments (space_id, parent_id);
create index comments_in_change_request on comments (change_request_id) where change_request_id is not null;
create index change_requests_of_revision on change_requests (space_id, revision_id);
create index change_requests_of_ancestor on change_requests (space_id, ancestor_revision_id);
create index invites_into_space on invites (space_id) where space_id is not null;
create index invites_into_collection on invites (collection_id) where collection_id is not null;

-- What is in a collection is found by it alone when the collection moves, or is transferred.
create index spaces_of_parent on spaces (parent_id) where parent_id is not null;
create index collections_of_parent on collections (parent_id) where parent_id is not null;
