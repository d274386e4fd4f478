-- The landing page's counters. Every process adds what it saw to one of many rows, so that they do not wait for each
-- other; the sum of all rows is the truth, a few seconds old.
create table stats (
  slot smallint primary key,
  users bigint not null default 0,
  messages bigint not null default 0,
  verified bigint not null default 0
) with (fillfactor = 50);
