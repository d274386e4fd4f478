create table passkey (
  owner uuid not null,
  -- As the authenticator names it, base64url.
  id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint,
  primary key (owner, id)
);

-- Challenges that have been answered: an answer works once. Kept until the challenge would have lapsed anyway.
create table used_challenge (
  owner uuid not null,
  hash bytea not null,
  expires_at bigint not null,
  primary key (owner, hash)
);

-- The account key once per passkey that can derive a key.
alter table key_wrap add column credential text;
create unique index key_wrap_one_passkey on key_wrap (owner, credential) where method = 'passkey' and state = 'current';
