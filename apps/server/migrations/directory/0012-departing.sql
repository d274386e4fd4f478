-- Accounts whose removal was begun and has not come to its end: written before anything of them goes, deleted after all of
-- it has. Whoever dies in between leaves the row to the worker.
create table departing (
  account uuid primary key,
  -- When somebody last began.
  since bigint not null
);
