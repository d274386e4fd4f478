-- Previews of files. Their bytes are files that count towards no quota, and they are deleted with their file.
create table preview (
  owner uuid not null,
  file text not null,
  -- A hash of the requested options.
  wish text not null,
  blob uuid not null,
  size bigint not null,
  -- Open: its bytes are on their way, or to be dropped.
  state text not null check (state in ('open', 'finished')),
  created_at bigint not null,
  primary key (owner, file, wish)
);
create index preview_open on preview (created_at) where state = 'open';
