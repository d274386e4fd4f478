create table device (
  owner uuid not null,
  id uuid not null,
  acked_seq bigint not null default 0,
  created_at bigint not null,
  primary key (owner, id)
);

-- One session is one device. Only a hash of the token's secret is kept: a dump allows no sign-in.
create table session (
  owner uuid not null,
  id uuid not null,
  device uuid not null,
  secret_hash bytea not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (owner, id)
);
create unique index session_secret on session (owner, secret_hash);

create table presence (
  owner uuid primary key,
  last_online bigint not null
) with (fillfactor = 50);
