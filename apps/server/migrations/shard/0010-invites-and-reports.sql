-- Only a hash of the secret is kept: a dump gives no access.
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

-- Opening the link twice uses it once.
create table invite_use (
  owner uuid not null,
  invite uuid not null,
  account uuid not null,
  primary key (owner, invite, account)
);

-- The operator's queue, on the reporter's shard.
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
