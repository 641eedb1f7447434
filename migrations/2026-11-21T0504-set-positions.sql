-- New positions for siblings, of which some are spaces and others collections. Called under the lock of their order.
create function set_positions(ids text[], positions text[]) returns void language plpgsql as $$
begin
  update spaces s set position = new.position from unnest(ids, positions) as new (id, position) where s.id = new.id;
  update collections c set position = new.position from unnest(ids, positions) as new (id, position) where c.id = new.id;
end $$;
