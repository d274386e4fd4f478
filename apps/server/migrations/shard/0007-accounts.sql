-- What the password proves and unlocks. The server can't read either.
create table opaque_record (
  owner uuid not null,
  -- `previous`: replaced by a reset by email; it still unlocks for a month, but allows no sign-in.
  state text not null check (state in ('current', 'previous')),
  record text not null,
  -- Which server setup it belongs to: another one can't check it.
  setup text not null,
  created_at bigint not null,
  until bigint,
  primary key (owner, state)
);

create table key_wrap (
  owner uuid not null,
  id uuid not null,
  method text not null check (method in ('password', 'recovery', 'passkey')),
  state text not null check (state in ('current', 'stale')),
  params text not null,
  blob bytea not null,
  created_at bigint not null,
  until bigint,
  primary key (owner, id)
);
create unique index key_wrap_one_password on key_wrap (owner, method) where method = 'password' and state = 'current';

create table user_document (
  owner uuid primary key,
  email text,
  username text not null,
  fcm_tokens text[] not null default '{}',
  public_key text,
  verified_at bigint,
  permissions text[] not null,
  created_at bigint not null,
  updated_at bigint not null
);

alter table session add column client text not null default '';
alter table session add column proven_at bigint not null default 0;
