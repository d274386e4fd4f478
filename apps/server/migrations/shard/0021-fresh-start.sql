-- What a fresh start puts away for a month, beside wraps and vault: who the person was to others, the device that waited
-- for them with its queue, and their backups.
create table identity_archive (
  owner uuid not null,
  usage text not null check (usage in ('master', 'self_signing', 'user_signing')),
  key text not null,
  until bigint not null,
  primary key (owner, usage)
);
create index identity_archive_until on identity_archive (until);

-- Its one-time keys and its queue stay where they are, under its name.
create table dehydrated_archive (
  owner uuid primary key,
  device text not null,
  data text not null,
  keys text not null,
  until bigint not null
);
create index dehydrated_archive_until on dehydrated_archive (until);

-- Of a backup that was put away: when it goes.
alter table backup_version add column until bigint;
create index backup_version_until on backup_version (until) where until is not null;
