-- The unique maps. Everything else about an account lies on its shard.

-- `half`: a sign-up that has not come to its end; the sweeper removes it and all it left.
create table email (
  address text primary key,
  account uuid not null,
  state text not null check (state in ('half', 'whole')),
  verified_at bigint,
  since bigint not null
);
create index email_account on email (account);
create index email_half on email (since) where state = 'half';

-- A freed name keeps its row without an account until `free_at`, so no other account inherits its contacts.
create table username (
  name text primary key,
  account uuid,
  free_at bigint
);
create unique index username_account on username (account) where account is not null;

-- A sign-up under way: behind a cookie of the browser that began it, for a quarter of an hour.
create table sign_up (
  ticket_hash bytea primary key,
  account uuid not null,
  email text not null,
  locale text not null,
  setup text not null,
  record text,
  wrap jsonb,
  code_hash bytea,
  code_at bigint,
  code_tries integer not null default 0,
  verified_at bigint,
  created_at bigint not null,
  expires_at bigint not null
);
create index sign_up_expires on sign_up (expires_at);
create index sign_up_email on sign_up (email);
