-- The entry of a conflict, so that an edit reads only the conflicts of the entries that it changes: a conflict may
-- contain three versions of a large page. Null: stored before this column.
alter table change_request_conflicts add column entry text;
