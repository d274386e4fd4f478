-- Only a hash of the secret is kept: a dump lets nobody in.
create table invite (
  owner uuid not null,
  id uuid not null,
  secret_hash bytea not null,
  created_at bigint not null,
  expires_at bigint not null,
  uses_left integer not null check (uses_left >= 0),
  primary key (owner, id)
);
create unique index invite_secret on invite (owner, secret_hash);

-- Somebody who opens the link twice has used it once.
create table invite_use (
  owner uuid not null,
  invite uuid not null,
  account uuid not null,
  primary key (owner, invite, account)
);

-- The operator's queue, on the shard of the one who reports.
create table report (
  owner uuid not null,
  id uuid not null,
  subject uuid not null,
  reason text not null,
  note text,
  at bigint not null,
  primary key (owner, id)
);
create index report_at on report (at);
