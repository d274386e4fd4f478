-- Which shard holds each of the 1,024 buckets. `version` grows with every change, so a process can tell news from an echo.
create table placement (
  bucket smallint primary key check (bucket between 0 and 1023),
  shard smallint not null,
  version bigint not null default 1
);
