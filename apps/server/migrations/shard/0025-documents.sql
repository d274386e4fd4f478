-- Documents of a collection lie together, under an owner made from the collection's name.
create table document (
  owner uuid not null,
  id text not null,
  sequence bigint not null,
  data jsonb not null,
  permissions text[] not null,
  -- The roles that may read: what a list looks for.
  readers text[] not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (owner, id)
);
create unique index document_sequence on document (owner, sequence);
create index document_readers on document using gin (readers);

-- Numbers are given under a lock and move with the collection.
create table document_counter (
  owner uuid primary key,
  last bigint not null
);
