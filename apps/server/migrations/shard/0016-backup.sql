-- Room keys, sealed by their owner. A version that was deleted keeps its row: its number is never given out again.
create table backup_version (
  owner uuid not null,
  version integer not null,
  algorithm text not null,
  auth_data text not null,
  -- Grows with every stored change of its keys.
  etag bigint not null default 0,
  count integer not null default 0,
  deleted boolean not null default false,
  primary key (owner, version)
);

create table backup_key (
  owner uuid not null,
  version integer not null,
  room uuid not null,
  session text not null,
  first_index bigint not null,
  forwarded bigint not null,
  verified boolean not null,
  entry text not null,
  primary key (owner, version, room, session)
);
alter table backup_key alter column entry set storage external;

create table vault (
  owner uuid not null,
  kind text not null,
  rev integer not null,
  blob bytea not null,
  primary key (owner, kind)
);
alter table vault alter column blob set storage external;
