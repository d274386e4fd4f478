-- Every table of a shard has an `owner`, by which the mover finds its rows. The two exceptions describe the shard itself.

create function bucket_of(account uuid) returns smallint
  language sql immutable strict parallel safe
  return (('x' || right(account::text, 3))::bit(12)::int & 1023)::smallint;

-- The buckets this shard answers for: the judge of every write that does not go through a mailbox row.
create table bucket_here (
  bucket smallint primary key,
  frozen boolean not null default false
);

-- One row per account, updated by every append. Half-empty pages and no second index keep those updates in place (HOT).
create table mailbox (
  owner uuid primary key,
  epoch integer not null default 1,
  last_seq bigint not null default 0,
  rev bigint not null default 0,
  -- Grows when the account's device list changes; a send names the revision it was sealed for.
  device_rev integer not null default 0,
  -- Key material queued so far; an entry remembers it, so keys are delivered before the mail that needs them.
  to_device bigint not null default 0,
  -- Stored by at least one device.
  acked_seq bigint not null default 0,
  -- Senders have been told of delivery up to here.
  told_seq bigint not null default 0,
  frozen boolean not null default false
) with (fillfactor = 50);

create table log (
  owner uuid not null,
  seq bigint not null,
  sender uuid not null,
  message_id uuid not null,
  chat uuid not null,
  at bigint not null,
  peer_seq bigint,
  to_device bigint not null,
  erases_sender uuid,
  erases_id uuid,
  body bytea,
  primary key (owner, seq)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
-- Ciphertext does not compress: don't try.
alter table log alter column body set storage external;
create unique index log_identity on log (owner, sender, message_id);
create index log_chat on log (owner, chat, seq);

create table register (
  owner uuid not null,
  key text not null,
  rev bigint not null,
  mark bigint,
  value bytea,
  primary key (owner, key)
) with (fillfactor = 70);

-- A copy that `target`, the sender, has not got yet. Written with the recipient's entry, deleted once it has been made.
create table owed (
  owner uuid not null,
  seq bigint not null,
  target uuid not null,
  since bigint not null,
  -- The message's bytes, if the owner has erased their own copy meanwhile.
  body bytea,
  primary key (owner, seq)
);
create index owed_since on owed (since);

-- The account should get a push, unless a device stores the entry first.
create table push_due (
  owner uuid primary key,
  since bigint not null
);
