-- An account of the hosted-service surface. Its password opens this surface only: no vault, no messages.
create table service_account (
  owner uuid primary key,
  id text not null,
  email text not null,
  name text not null,
  password_hash text not null,
  password_at bigint not null,
  verified_at bigint,
  is_blocked boolean not null default false,
  labels text[] not null default '{}',
  prefs text not null default '{}',
  mfa boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null,
  accessed_at bigint not null
);

create table service_session (
  owner uuid not null,
  id text not null,
  secret_hash bytea not null,
  provider text not null,
  client text not null,
  factors text[] not null,
  mfa_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (owner, id)
);

-- Files of a bucket lie together, under an owner made from the bucket's name: a list of them asks one shard.
create table file (
  owner uuid not null,
  id text not null,
  blob uuid not null,
  uploader uuid not null,
  name text not null,
  folder text not null,
  permissions text[] not null,
  -- The roles that may read: what a list looks for.
  readers text[] not null,
  mime_type text not null,
  signature text not null,
  size bigint not null,
  chunks_total integer not null,
  chunks_uploaded integer not null,
  state text not null check (state in ('open', 'finished')),
  created_at bigint not null,
  updated_at bigint not null,
  primary key (owner, id)
);
create index file_created on file (owner, created_at, id);
create index file_open on file (created_at) where state = 'open';
