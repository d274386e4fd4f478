-- Vaults that a fresh start has put away: sealed under the account key of before, for an owner who did not want it.
create table vault_archive (
  owner uuid not null,
  kind text not null,
  rev integer not null,
  blob bytea not null,
  until bigint not null,
  primary key (owner, kind)
);
alter table vault_archive alter column blob set storage external;
create index vault_archive_until on vault_archive (until);
