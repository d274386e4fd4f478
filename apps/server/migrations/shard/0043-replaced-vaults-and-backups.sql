-- A session can overwrite the vault and the backup without the password. What it replaces is kept for 30 days.
create table vault_revision (
  owner uuid not null,
  kind text not null,
  rev integer not null,
  blob bytea not null,
  replaced_at bigint not null,
  -- Encrypted under an account key that the account no longer uses: no browser is offered it.
  former_key boolean not null default false,
  until bigint not null,
  primary key (owner, kind, replaced_at, rev)
);
alter table vault_revision alter column blob set storage external;
create index vault_revision_until on vault_revision (until);

-- Deleted by its owner, and readable until `until`. Unlike a version that a fresh start put away, it is never current.
alter table backup_version add column retired boolean not null default false;

-- Entries that a better copy has replaced. A session without the backup's keys can pretend to have a better one.
create table backup_key_replaced (
  owner uuid not null,
  version integer not null,
  room uuid not null,
  session text not null,
  -- Counts the copies of a session up.
  n integer not null,
  entry text not null,
  until bigint not null,
  primary key (owner, version, room, session, n)
);
alter table backup_key_replaced alter column entry set storage external;
create index backup_key_replaced_until on backup_key_replaced (until);
