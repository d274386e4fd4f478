-- Vaults that a fresh start archived: encrypted under the previous account key, for an owner who did not start fresh.
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
