-- What operators did by hand: who, when, which command. Never what they were shown.
create table deed (
  id bigint generated always as identity primary key,
  at bigint not null,
  operator text not null,
  words text not null,
  -- The account it was done to: by its id alone, so that a deleted one leaves no name behind.
  subject uuid,
  -- `begun` and nothing after it: the command died on the way.
  outcome text not null check (outcome in ('begun', 'done', 'failed'))
);
create index deed_at on deed (at);
