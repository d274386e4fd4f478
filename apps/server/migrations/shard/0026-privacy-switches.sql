-- For all contacts; a single contact can only have less.
alter table privacy
  add column receipts boolean not null default true,
  add column typing boolean not null default true;
