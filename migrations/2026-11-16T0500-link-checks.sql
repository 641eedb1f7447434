-- Checks of external links: docs/decisions/0037-links.md. `checking_until` of a space is null: no check is wanted; in the
-- past: a check is wanted, or was interrupted; in the future: a process is checking, and extends it as long as it works.

-- When the check was requested: results from before are renewed.
alter table link_indexes add column check_since timestamptz;
create index link_indexes_to_check on link_indexes (checking_until) where checking_until is not null;
