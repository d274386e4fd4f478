-- What an account tells about itself, a row for each group that was ever saved.
create table profile_group (
  owner uuid not null,
  name text not null check (name in ('personal', 'contact', 'education', 'skills', 'work')),
  -- Grows with every save: a client that saves names the revision it has read.
  revision bigint not null,
  audience text not null check (audience in ('nobody', 'contacts', 'everybody')),
  value jsonb not null,
  updated_at bigint not null,
  primary key (owner, name)
);
