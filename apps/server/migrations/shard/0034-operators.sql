-- Accounts that an operator has disabled: they allow no sign-in.
create table disabled (
  owner uuid primary key,
  since bigint not null
);

-- A report that an operator has dealt with leaves the queue.
alter table report add column closed_at bigint;
create index report_open on report (at) where closed_at is null;
create index report_id on report (id);
