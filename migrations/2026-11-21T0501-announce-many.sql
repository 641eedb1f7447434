-- Each row searched and copied the list of all tags before it: a transaction that changes 50,000 spaces never ended.
-- Beyond some hundred tags, it announces `*`: that everything may have changed.
create or replace function announce_change() returns trigger language plpgsql as $$
declare
  rows jsonb[] := array[]::jsonb[];
  changed jsonb;
  argument text;
  tag text;
  so_far text := coalesce(current_setting('octavo.changed', true), '');
begin
  if so_far = ' *' then return null; end if;
  if tg_op <> 'INSERT' then rows := rows || to_jsonb(old); end if;
  if tg_op <> 'DELETE' then rows := rows || to_jsonb(new); end if;
  foreach changed in array rows loop
    foreach argument in array tg_argv loop
      tag := split_part(argument, '=', 1) || ':' || (changed ->> split_part(argument, '=', 2));
      if tag is not null and position(' ' || tag || ' ' in so_far || ' ') = 0 then
        if length(so_far) > 10000 then
          perform set_config('octavo.changed', ' *', true);
          perform pg_notify('octavo_changed', '*');
          return null;
        end if;
        so_far := so_far || ' ' || tag;
        perform set_config('octavo.changed', so_far, true);
        perform pg_notify('octavo_changed', tag);
      end if;
    end loop;
  end loop;
  return null;
end $$;
