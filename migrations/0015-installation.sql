-- The installation: one row, written by the first start.

create table installation (
  only_one boolean primary key default true check (only_one),
  -- Of the master key: a start with another one is refused.
  secret_fingerprint text not null,
  created_at timestamptz(3) not null default now(),
  -- OCTAVO_ORG_STORAGE, written by the server at its start. Null: no limit.
  organization_storage bigint,
  -- Created by the first start. Until a token of this user has been used, every start prints a new one.
  administrator_id text references users on delete set null,
  -- The site that the address of the installation itself shows.
  home_site_id text references sites on delete set null
);
