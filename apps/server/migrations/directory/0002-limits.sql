-- Counters of rare and dangerous acts. Unlogged: a crash forgets them, which costs a few extra tries, never a row of anybody's.
create unlogged table limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
