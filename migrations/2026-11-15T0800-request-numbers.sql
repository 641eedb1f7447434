-- A change request is asked for by its id or by its number, as text: either is one look into an index.
create index change_requests_by_number_text on change_requests (space_id, (number::text));
