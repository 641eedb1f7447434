-- Invitations mailed within an hour that begins with the first of them, for each inviting user and each organization.
-- One row for each, so that concurrent requests are counted one after another.
create table invitation_mails (
  kind text not null check (kind in ('organization', 'user')),
  id text not null,
  mails integer not null,
  hour_ends timestamptz(3) not null,
  primary key (kind, id)
);
