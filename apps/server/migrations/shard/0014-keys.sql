-- Public keys of devices and persons. Signed JSON is kept as canonical text: what is the same is equal.

alter table device add column name text;
alter table device add column seen_at bigint not null default 0;
update device set seen_at = created_at;
create index device_seen on device (seen_at);

-- One row for a device that takes part in encryption, and one for the dehydrated device, which has no session.
create table device_key (
  owner uuid not null,
  device text not null,
  keys text not null,
  primary key (owner, device)
);

-- The dehydrated device, for times without a signed-in browser; encrypted by its owner.
create table dehydrated_device (
  owner uuid primary key,
  device text not null,
  data text not null
);

-- A claimed key stays a while: the same upload, repeated, must not offer it again.
create table one_time_key (
  owner uuid not null,
  device text not null,
  algorithm text not null,
  name text not null,
  -- The order of upload: the oldest is given out first.
  seq bigint not null,
  key text not null,
  claimed_at bigint,
  primary key (owner, device, algorithm, name)
);
create index one_time_key_next on one_time_key (owner, device, algorithm, seq) where claimed_at is null;
create index one_time_key_claimed on one_time_key (claimed_at) where claimed_at is not null;

-- Given out when the others are used up; not used up itself.
create table fallback_key (
  owner uuid not null,
  device text not null,
  algorithm text not null,
  name text not null,
  key text not null,
  used boolean not null default false,
  primary key (owner, device, algorithm)
);

create table identity_key (
  owner uuid not null,
  usage text not null check (usage in ('master', 'self_signing', 'user_signing')),
  key text not null,
  primary key (owner, usage)
);

-- Signatures by `owner` on other users' keys: never shown to others, because they tell who knows whom.
create table person_signature (
  owner uuid not null,
  target uuid not null,
  target_key text not null,
  signer_key text not null,
  signature text not null,
  primary key (owner, target, target_key, signer_key)
);

-- Whose devices changed, for the devices of `owner`; numbered by the mailbox's to-device counter.
create table device_list_change (
  owner uuid not null,
  account uuid not null,
  seq bigint not null,
  kind text not null check (kind in ('changed', 'left')),
  primary key (owner, account)
);
create index device_list_change_seq on device_list_change (owner, seq);

-- The contacts of `owner` are still to be told of this revision of its device list.
create table device_list_owed (
  owner uuid primary key,
  rev integer not null,
  since bigint not null
);
create index device_list_owed_since on device_list_owed (since);

create table to_device (
  owner uuid not null,
  device text not null,
  seq bigint not null,
  sender uuid not null,
  -- The event as the device gets it.
  event text not null,
  primary key (owner, device, seq)
);
create index to_device_sender on to_device (owner, device, sender, seq);
alter table to_device alter column event set storage external;

-- What has been queued for `owner` under this name already: a repeat queues nothing.
create table to_device_txn (
  owner uuid not null,
  sender uuid not null,
  device text not null,
  txn text not null,
  at bigint not null,
  primary key (owner, sender, device, txn)
);
create index to_device_txn_at on to_device_txn (at);
