-- Encrypted files. The rows of a file are on the shard of its own id: it belongs to all accounts with a reference.
create table blob (
  owner uuid primary key,
  uploader uuid not null,
  size bigint not null,
  state text not null check (state in ('open', 'finished')),
  created_at bigint not null
);
-- The mover finds a bucket's blobs, and the sweeper what was never finished.
create index blob_bucket on blob (bucket_of(owner));
create index blob_open on blob (created_at) where state = 'open';

create table blob_chunk (
  owner uuid not null,
  chunk integer not null,
  sha256 bytea not null,
  primary key (owner, chunk)
);

-- Who may read it.
create table blob_ref (
  owner uuid not null,
  account uuid not null,
  primary key (owner, account)
);

-- The same from the account's side, on its own shard: what it holds, and how much of that counts against its quota.
create table blob_held (
  owner uuid not null,
  blob uuid not null,
  charged bigint not null,
  at bigint not null,
  primary key (owner, blob)
);
