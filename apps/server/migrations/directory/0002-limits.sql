-- Counters of rare and dangerous actions. Unlogged: a crash loses them, which allows a few more attempts.
create unlogged table limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
