-- Events, written by the transactions that cause them. Readers process them in order and in batches, at least once.

create table events (
  id bigint generated always as identity primary key,
  -- Assigned when the event is first read: ids are assigned before transactions end, so a lower one may appear after a
  -- higher one.
  sequence bigint unique,
  organization_id text not null,
  space_id text,
  type text not null,
  data jsonb not null default '{}',
  at timestamptz(3) not null default now()
);
create sequence event_sequence;
create index events_new on events (id) where sequence is null;

create table event_readers (
  name text primary key,
  last bigint not null default 0
);
