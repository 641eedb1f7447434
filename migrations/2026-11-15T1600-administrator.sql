-- Who the first start created. Until one of their tokens has been used, every start prints a new one.
alter table installation add column administrator_id text references users on delete set null;
update installation set administrator_id =
  (select user_id from tokens where label = 'First start' order by created_at, id limit 1);
