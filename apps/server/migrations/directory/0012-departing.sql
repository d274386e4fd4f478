-- Accounts whose removal was begun and has not come to its end: written before anything of them goes, deleted after all of
-- it is deleted. If a process dies in between, the worker continues.
create table departing (
  account uuid primary key,
  -- When the removal was last started.
  since bigint not null
);
